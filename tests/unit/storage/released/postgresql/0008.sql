SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.audit (
    seq bigint NOT NULL,
    audit_id text NOT NULL,
    at_us bigint NOT NULL,
    principal text NOT NULL,
    transport text NOT NULL,
    carrier text NOT NULL,
    tool text NOT NULL,
    repository_id text,
    decision text NOT NULL,
    reason text NOT NULL,
    arguments_sha256 text NOT NULL,
    duration_us bigint NOT NULL,
    verdict_id text,
    row_hash bytea NOT NULL
);
CREATE TABLE public.audit_head (
    id bigint NOT NULL,
    seq bigint NOT NULL,
    row_hash bytea NOT NULL
);
CREATE TABLE public.audit_segment (
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    previous_hash bytea NOT NULL,
    last_hash bytea NOT NULL,
    sealed_at_us bigint NOT NULL,
    pruned_at_us bigint
);
CREATE TABLE public.daemon_start (
    seq bigint NOT NULL,
    at double precision NOT NULL,
    version text NOT NULL,
    pid bigint NOT NULL
);
CREATE SEQUENCE public.daemon_start_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.daemon_start_seq_seq OWNED BY public.daemon_start.seq;
CREATE TABLE public.journal_chunk (
    seq bigint NOT NULL,
    page_id text NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    at double precision NOT NULL,
    bytes_until bigint NOT NULL,
    document bytea NOT NULL
);
CREATE SEQUENCE public.journal_chunk_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.journal_chunk_seq_seq OWNED BY public.journal_chunk.seq;
CREATE TABLE public.mcp_session (
    session text NOT NULL,
    issued_at bigint NOT NULL,
    ended boolean NOT NULL,
    log_level text,
    subscriptions text NOT NULL
);
CREATE TABLE public.page_hold (
    daemon text NOT NULL,
    page_id text NOT NULL,
    holder text NOT NULL,
    shown text NOT NULL,
    purpose text NOT NULL,
    since double precision NOT NULL,
    until double precision NOT NULL
);
CREATE TABLE public.page_seen (
    project_id text NOT NULL,
    pages bigint NOT NULL,
    last_at double precision NOT NULL
);
CREATE TABLE public.repository (
    repository_id text NOT NULL,
    root text NOT NULL,
    display_name text NOT NULL,
    origins text NOT NULL,
    registered_at double precision NOT NULL,
    removed_at double precision
);
CREATE TABLE public.token (
    token_id text NOT NULL,
    salt text NOT NULL,
    digest text NOT NULL,
    kind text NOT NULL,
    display_name text NOT NULL,
    created_at double precision NOT NULL,
    expires_at double precision,
    revoked_at double precision,
    revoked_reason text,
    last_used_at double precision
);
CREATE TABLE public.token_grant (
    grant_id text NOT NULL,
    token_id text NOT NULL,
    capability text NOT NULL,
    repository_id text,
    granted_at double precision NOT NULL,
    expires_at double precision,
    revoked_at double precision,
    revoked_reason text
);
CREATE TABLE public.verdict (
    seq bigint NOT NULL,
    verdict_id text NOT NULL,
    at double precision NOT NULL,
    tool text NOT NULL,
    principal text NOT NULL,
    page_id text NOT NULL,
    url text NOT NULL,
    verified text NOT NULL,
    reason text NOT NULL,
    document text NOT NULL
);
CREATE SEQUENCE public.verdict_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.verdict_seq_seq OWNED BY public.verdict.seq;
CREATE TABLE public.verdict_window (
    seq bigint NOT NULL,
    verdict_id text NOT NULL,
    bytes_until bigint NOT NULL,
    document bytea NOT NULL
);
CREATE SEQUENCE public.verdict_window_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.verdict_window_seq_seq OWNED BY public.verdict_window.seq;
CREATE TABLE public.work_artifact (
    artifact_id text NOT NULL,
    run_id text NOT NULL,
    job_id text NOT NULL,
    attempt bigint NOT NULL,
    fencing bigint NOT NULL,
    session_id text NOT NULL,
    logical_name text NOT NULL,
    kind text NOT NULL,
    path text NOT NULL,
    sha256 text NOT NULL,
    size_bytes bigint NOT NULL,
    version text NOT NULL,
    content bytea,
    published_at_us bigint NOT NULL
);
CREATE TABLE public.work_blocker (
    blocker_id text NOT NULL,
    run_id text NOT NULL,
    job_id text,
    session_id text,
    kind text NOT NULL,
    severity text NOT NULL,
    description text NOT NULL,
    state text NOT NULL,
    opened_at_us bigint NOT NULL,
    resolution text NOT NULL,
    resolved_by text NOT NULL,
    resolved_at_us bigint
);
CREATE TABLE public.work_dependency (
    job_id text NOT NULL,
    needs_job_id text NOT NULL,
    run_id text NOT NULL
);
CREATE TABLE public.work_event (
    seq bigint NOT NULL,
    at_us bigint NOT NULL,
    repository_id text NOT NULL,
    run_id text NOT NULL,
    kind text NOT NULL,
    job_id text,
    session_id text,
    lease_id text,
    subject text NOT NULL,
    principal text NOT NULL,
    detail text NOT NULL
);
CREATE SEQUENCE public.work_event_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.work_event_seq_seq OWNED BY public.work_event.seq;
CREATE TABLE public.work_job (
    job_id text NOT NULL,
    run_id text NOT NULL,
    name text NOT NULL,
    place bigint NOT NULL,
    type text NOT NULL,
    role text NOT NULL,
    state text NOT NULL,
    priority bigint NOT NULL,
    attempt bigint NOT NULL,
    max_attempts bigint NOT NULL,
    fencing bigint NOT NULL,
    claims bigint NOT NULL,
    plan text NOT NULL,
    author_session_id text,
    reason text NOT NULL,
    revision text NOT NULL,
    changed_at_us bigint NOT NULL
);
CREATE TABLE public.work_lease (
    lease_id text NOT NULL,
    run_id text NOT NULL,
    job_id text NOT NULL,
    message_id text NOT NULL,
    session_id text NOT NULL,
    attempt bigint NOT NULL,
    fencing bigint NOT NULL,
    seconds bigint NOT NULL,
    state text NOT NULL,
    claimed_at_us bigint NOT NULL,
    until_us bigint NOT NULL,
    acked_at_us bigint,
    ended_at_us bigint,
    reason text NOT NULL,
    outcome text,
    tree text NOT NULL
);
CREATE TABLE public.work_message (
    seq bigint NOT NULL,
    message_id text NOT NULL,
    run_id text NOT NULL,
    job_id text NOT NULL,
    attempt bigint NOT NULL,
    role text NOT NULL,
    priority bigint NOT NULL,
    state text NOT NULL,
    created_at_us bigint NOT NULL,
    changed_at_us bigint NOT NULL
);
CREATE SEQUENCE public.work_message_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.work_message_seq_seq OWNED BY public.work_message.seq;
CREATE TABLE public.work_packet (
    packet_id text NOT NULL,
    run_id text NOT NULL,
    job_id text NOT NULL,
    message_id text NOT NULL,
    lease_id text NOT NULL,
    session_id text NOT NULL,
    document text NOT NULL,
    sha256 text NOT NULL,
    created_at_us bigint NOT NULL
);
CREATE TABLE public.work_review (
    review_id text NOT NULL,
    run_id text NOT NULL,
    job_id text NOT NULL,
    attempt bigint NOT NULL,
    reviewed_job_id text NOT NULL,
    reviewed_attempt bigint NOT NULL,
    session_id text NOT NULL,
    outcome text NOT NULL,
    rationale text NOT NULL,
    findings_artifact_id text,
    verdict_ids text NOT NULL,
    recorded_at_us bigint NOT NULL
);
CREATE TABLE public.work_run (
    run_id text NOT NULL,
    repository_id text NOT NULL,
    title text NOT NULL,
    state text NOT NULL,
    roles text NOT NULL,
    source text,
    source_sha256 text NOT NULL,
    prepared_by text NOT NULL,
    reason text NOT NULL,
    prepared_at_us bigint NOT NULL,
    started_at_us bigint,
    ended_at_us bigint
);
CREATE TABLE public.work_session (
    session_id text NOT NULL,
    run_id text NOT NULL,
    role text NOT NULL,
    slot bigint NOT NULL,
    label text NOT NULL,
    state text NOT NULL,
    token_id text,
    registered_by text NOT NULL,
    reason text NOT NULL,
    registered_at_us bigint NOT NULL,
    ended_at_us bigint,
    called_at_us bigint NOT NULL,
    awaited_at_us bigint,
    claimed_at_us bigint,
    acked_at_us bigint,
    heartbeat_at_us bigint,
    reported_at_us bigint,
    report_kind text NOT NULL,
    report_phase text NOT NULL,
    report_obstacle text NOT NULL,
    report_message text NOT NULL
);
CREATE TABLE public.work_tree (
    tree text NOT NULL,
    manifest bytea NOT NULL,
    size_bytes bigint NOT NULL,
    kept_at_us bigint NOT NULL
);
ALTER TABLE ONLY public.daemon_start ALTER COLUMN seq SET DEFAULT nextval('public.daemon_start_seq_seq'::regclass);
ALTER TABLE ONLY public.journal_chunk ALTER COLUMN seq SET DEFAULT nextval('public.journal_chunk_seq_seq'::regclass);
ALTER TABLE ONLY public.verdict ALTER COLUMN seq SET DEFAULT nextval('public.verdict_seq_seq'::regclass);
ALTER TABLE ONLY public.verdict_window ALTER COLUMN seq SET DEFAULT nextval('public.verdict_window_seq_seq'::regclass);
ALTER TABLE ONLY public.work_event ALTER COLUMN seq SET DEFAULT nextval('public.work_event_seq_seq'::regclass);
ALTER TABLE ONLY public.work_message ALTER COLUMN seq SET DEFAULT nextval('public.work_message_seq_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0008');
INSERT INTO public.audit VALUES (1, 'audit_0', 1764460800000000, 'local', 'mcp', 'sse', 'reticle_act', NULL, 'allowed', '', '0000000000000000000000000000000000000000000000000000000000000000', 5, NULL, '\xfc5c05d9a47ce6211ea59573bf763f6e9ae93e2e478fe30cfe8aa89ce6e5899a');
INSERT INTO public.audit VALUES (2, 'audit_1', 1764460800000001, 'local', 'mcp', 'sse', 'reticle_act', NULL, 'allowed', '', '0000000000000000000000000000000000000000000000000000000000000000', 5, NULL, '\x1bb8f057687adeff07f55c52329177e622721e4c47929730ce54c47b61500e4e');
INSERT INTO public.audit VALUES (3, 'audit_2', 1764460800000002, 'local', 'mcp', 'sse', 'reticle_act', NULL, 'allowed', '', '0000000000000000000000000000000000000000000000000000000000000000', 5, NULL, '\x7109774961475b60340ed33403c61bd7d687a0264f27c413ae60ae94cc047bfc');
INSERT INTO public.audit_head VALUES (1, 3, '\x7109774961475b60340ed33403c61bd7d687a0264f27c413ae60ae94cc047bfc');
INSERT INTO public.page_hold VALUES ('d1', 'shop-1', 'local', 'local', 'checking the cart', 1764470000, 1764470060);
INSERT INTO public.repository VALUES ('repo_1', '/src/shop', 'shop', '["http://localhost:3000"]', 1764460700, NULL);
INSERT INTO public.token VALUES ('t1', 'c2FsdA', 'ZGlnZXN0', 'cli', 'lane', 1764460700, 1864460700, NULL, NULL, 1764460800);
INSERT INTO public.token_grant VALUES ('grant_1', 't1', 'write', 'repo_1', 1764460700, NULL, NULL, NULL);
INSERT INTO public.work_artifact VALUES ('art_b', 'run_1', 'job_1', 1, 1, 'sess_1', 'first', 'report', 'docs/first.md', '00', 3, '', '\x6f6e65', 1764470000000002);
INSERT INTO public.work_artifact VALUES ('art_a', 'run_1', 'job_1', 1, 1, 'sess_1', 'second', 'report', 'docs/second.md', '00', 3, '', NULL, 1764470000000003);
INSERT INTO public.work_blocker VALUES ('blk_b', 'run_1', 'job_1', NULL, 'attempts_exhausted', 'human_checkpoint', 'out of attempts', 'open', 1764470000000004, '', '', NULL);
INSERT INTO public.work_blocker VALUES ('blk_a', 'run_1', 'job_1', NULL, 'attempts_exhausted', 'human_checkpoint', 'out of attempts', 'open', 1764470000000005, '', '', NULL);
INSERT INTO public.work_run VALUES ('run_1', 'shop', 'The total', 'needs_operator', '{}', NULL, '', 'token:t1', '', 1764470000000000, 1764470000000001, NULL);
SELECT pg_catalog.setval('public.daemon_start_seq_seq', 1, false);
SELECT pg_catalog.setval('public.journal_chunk_seq_seq', 1, false);
SELECT pg_catalog.setval('public.verdict_seq_seq', 1, false);
SELECT pg_catalog.setval('public.verdict_window_seq_seq', 1, false);
SELECT pg_catalog.setval('public.work_event_seq_seq', 1, false);
SELECT pg_catalog.setval('public.work_message_seq_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT pk_audit PRIMARY KEY (seq);
ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT pk_audit_head PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_segment
    ADD CONSTRAINT pk_audit_segment PRIMARY KEY (first_seq);
ALTER TABLE ONLY public.daemon_start
    ADD CONSTRAINT pk_daemon_start PRIMARY KEY (seq);
ALTER TABLE ONLY public.journal_chunk
    ADD CONSTRAINT pk_journal_chunk PRIMARY KEY (seq);
ALTER TABLE ONLY public.mcp_session
    ADD CONSTRAINT pk_mcp_session PRIMARY KEY (session);
ALTER TABLE ONLY public.page_hold
    ADD CONSTRAINT pk_page_hold PRIMARY KEY (daemon, page_id);
ALTER TABLE ONLY public.page_seen
    ADD CONSTRAINT pk_page_seen PRIMARY KEY (project_id);
ALTER TABLE ONLY public.repository
    ADD CONSTRAINT pk_repository PRIMARY KEY (repository_id);
ALTER TABLE ONLY public.token
    ADD CONSTRAINT pk_token PRIMARY KEY (token_id);
ALTER TABLE ONLY public.token_grant
    ADD CONSTRAINT pk_token_grant PRIMARY KEY (grant_id);
ALTER TABLE ONLY public.verdict
    ADD CONSTRAINT pk_verdict PRIMARY KEY (seq);
ALTER TABLE ONLY public.verdict_window
    ADD CONSTRAINT pk_verdict_window PRIMARY KEY (seq);
ALTER TABLE ONLY public.work_artifact
    ADD CONSTRAINT pk_work_artifact PRIMARY KEY (artifact_id);
ALTER TABLE ONLY public.work_blocker
    ADD CONSTRAINT pk_work_blocker PRIMARY KEY (blocker_id);
ALTER TABLE ONLY public.work_dependency
    ADD CONSTRAINT pk_work_dependency PRIMARY KEY (job_id, needs_job_id);
ALTER TABLE ONLY public.work_event
    ADD CONSTRAINT pk_work_event PRIMARY KEY (seq);
ALTER TABLE ONLY public.work_job
    ADD CONSTRAINT pk_work_job PRIMARY KEY (job_id);
ALTER TABLE ONLY public.work_lease
    ADD CONSTRAINT pk_work_lease PRIMARY KEY (lease_id);
ALTER TABLE ONLY public.work_message
    ADD CONSTRAINT pk_work_message PRIMARY KEY (seq);
ALTER TABLE ONLY public.work_packet
    ADD CONSTRAINT pk_work_packet PRIMARY KEY (packet_id);
ALTER TABLE ONLY public.work_review
    ADD CONSTRAINT pk_work_review PRIMARY KEY (review_id);
ALTER TABLE ONLY public.work_run
    ADD CONSTRAINT pk_work_run PRIMARY KEY (run_id);
ALTER TABLE ONLY public.work_session
    ADD CONSTRAINT pk_work_session PRIMARY KEY (session_id);
ALTER TABLE ONLY public.work_tree
    ADD CONSTRAINT pk_work_tree PRIMARY KEY (tree);
ALTER TABLE ONLY public.audit_segment
    ADD CONSTRAINT uq_audit_segment_last_seq UNIQUE (last_seq);
ALTER TABLE ONLY public.verdict
    ADD CONSTRAINT uq_verdict_verdict_id UNIQUE (verdict_id);
ALTER TABLE ONLY public.verdict_window
    ADD CONSTRAINT uq_verdict_window_verdict_id UNIQUE (verdict_id);
ALTER TABLE ONLY public.work_message
    ADD CONSTRAINT uq_work_message_message_id UNIQUE (message_id);
ALTER TABLE ONLY public.work_packet
    ADD CONSTRAINT uq_work_packet_lease_id UNIQUE (lease_id);
CREATE INDEX ix_journal_chunk_at ON public.journal_chunk USING btree (at);
CREATE INDEX ix_journal_chunk_bytes_until ON public.journal_chunk USING btree (bytes_until);
CREATE INDEX ix_journal_chunk_page_id ON public.journal_chunk USING btree (page_id);
CREATE INDEX ix_mcp_session_issued_at ON public.mcp_session USING btree (issued_at);
CREATE INDEX ix_repository_root ON public.repository USING btree (root);
CREATE INDEX ix_token_grant_token_id ON public.token_grant USING btree (token_id);
CREATE INDEX ix_verdict_window_bytes_until ON public.verdict_window USING btree (bytes_until);
CREATE INDEX ix_work_artifact_run_id ON public.work_artifact USING btree (run_id);
CREATE INDEX ix_work_blocker_job_id ON public.work_blocker USING btree (job_id);
CREATE INDEX ix_work_blocker_open ON public.work_blocker USING btree (run_id) WHERE (state = 'open'::text);
CREATE INDEX ix_work_blocker_run_id ON public.work_blocker USING btree (run_id);
CREATE INDEX ix_work_dependency_needs_job_id ON public.work_dependency USING btree (needs_job_id);
CREATE INDEX ix_work_dependency_run_id ON public.work_dependency USING btree (run_id);
CREATE INDEX ix_work_event_job_id ON public.work_event USING btree (job_id);
CREATE INDEX ix_work_event_run_id ON public.work_event USING btree (run_id);
CREATE INDEX ix_work_event_session_id ON public.work_event USING btree (session_id);
CREATE INDEX ix_work_job_place ON public.work_job USING btree (run_id, place);
CREATE INDEX ix_work_job_state ON public.work_job USING btree (run_id, state);
CREATE INDEX ix_work_lease_run_id ON public.work_lease USING btree (run_id);
CREATE INDEX ix_work_lease_until_us ON public.work_lease USING btree (until_us) WHERE (state = 'active'::text);
CREATE INDEX ix_work_message_pending ON public.work_message USING btree (run_id, role, priority DESC, seq) WHERE (state = 'pending'::text);
CREATE INDEX ix_work_message_run_id ON public.work_message USING btree (run_id);
CREATE INDEX ix_work_packet_job_id ON public.work_packet USING btree (job_id);
CREATE INDEX ix_work_packet_run_id ON public.work_packet USING btree (run_id);
CREATE INDEX ix_work_packet_session_id ON public.work_packet USING btree (session_id);
CREATE INDEX ix_work_review_reviewed_job_id ON public.work_review USING btree (reviewed_job_id);
CREATE INDEX ix_work_review_run_id ON public.work_review USING btree (run_id);
CREATE INDEX ix_work_run_repository_id ON public.work_run USING btree (repository_id, prepared_at_us);
CREATE INDEX ix_work_session_run_id ON public.work_session USING btree (run_id, registered_at_us);
CREATE INDEX ix_work_session_token_id ON public.work_session USING btree (token_id);
CREATE INDEX ix_work_tree_kept_at_us ON public.work_tree USING btree (kept_at_us);
CREATE UNIQUE INDEX uq_work_artifact_logical_name ON public.work_artifact USING btree (job_id, attempt, fencing, logical_name);
CREATE UNIQUE INDEX uq_work_job_run_id ON public.work_job USING btree (run_id, name);
CREATE UNIQUE INDEX uq_work_lease_fencing ON public.work_lease USING btree (job_id, fencing);
CREATE UNIQUE INDEX uq_work_lease_job_id ON public.work_lease USING btree (job_id) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX uq_work_lease_session_id ON public.work_lease USING btree (session_id) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX uq_work_message_live ON public.work_message USING btree (job_id) WHERE (state = ANY (ARRAY['pending'::text, 'claimed'::text, 'acked'::text]));
CREATE UNIQUE INDEX uq_work_review_job_id ON public.work_review USING btree (job_id, attempt);
CREATE UNIQUE INDEX uq_work_session_slot ON public.work_session USING btree (run_id, role, slot) WHERE (state = 'active'::text);
