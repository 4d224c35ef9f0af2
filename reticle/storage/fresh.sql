-- The schema as reticle.storage.tables declares it, for an empty database; a test compares the two.

CREATE TABLE verdict (
    seq INTEGER NOT NULL,
    verdict_id TEXT NOT NULL,
    at FLOAT NOT NULL,
    tool TEXT NOT NULL,
    principal TEXT NOT NULL,
    page_id TEXT NOT NULL,
    url TEXT NOT NULL,
    verified TEXT NOT NULL,
    reason TEXT NOT NULL,
    document TEXT NOT NULL,
    CONSTRAINT pk_verdict PRIMARY KEY (seq),
    CONSTRAINT uq_verdict_verdict_id UNIQUE (verdict_id)
);

CREATE TABLE verdict_window (
    seq INTEGER NOT NULL,
    verdict_id TEXT NOT NULL,
    bytes_until INTEGER NOT NULL,
    document BLOB NOT NULL,
    CONSTRAINT pk_verdict_window PRIMARY KEY (seq),
    CONSTRAINT uq_verdict_window_verdict_id UNIQUE (verdict_id)
);
CREATE INDEX ix_verdict_window_bytes_until ON verdict_window (bytes_until);

CREATE TABLE journal_chunk (
    seq INTEGER NOT NULL,
    page_id TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    at FLOAT NOT NULL,
    bytes_until INTEGER NOT NULL,
    document BLOB NOT NULL,
    CONSTRAINT pk_journal_chunk PRIMARY KEY (seq)
);

CREATE INDEX ix_journal_chunk_page_id ON journal_chunk (page_id);

CREATE INDEX ix_journal_chunk_at ON journal_chunk (at);

CREATE INDEX ix_journal_chunk_bytes_until ON journal_chunk (bytes_until);

CREATE TABLE audit (
    seq INTEGER NOT NULL,
    audit_id TEXT NOT NULL,
    at_us INTEGER NOT NULL,
    principal TEXT NOT NULL,
    transport TEXT NOT NULL,
    carrier TEXT NOT NULL,
    tool TEXT NOT NULL,
    repository_id TEXT,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    arguments_sha256 TEXT NOT NULL,
    duration_us INTEGER NOT NULL,
    verdict_id TEXT,
    row_hash BLOB NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (seq)
);

CREATE TABLE audit_head (
    id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    row_hash BLOB NOT NULL,
    CONSTRAINT pk_audit_head PRIMARY KEY (id)
);

CREATE TABLE audit_segment (
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    previous_hash BLOB NOT NULL,
    last_hash BLOB NOT NULL,
    sealed_at_us INTEGER NOT NULL,
    pruned_at_us INTEGER,
    CONSTRAINT pk_audit_segment PRIMARY KEY (first_seq),
    CONSTRAINT uq_audit_segment_last_seq UNIQUE (last_seq)
);

CREATE TABLE repository (
    repository_id TEXT NOT NULL,
    root TEXT NOT NULL,
    display_name TEXT NOT NULL,
    origins TEXT NOT NULL,
    registered_at FLOAT NOT NULL,
    removed_at FLOAT,
    CONSTRAINT pk_repository PRIMARY KEY (repository_id)
);

CREATE INDEX ix_repository_root ON repository (root);

CREATE TABLE token (
    token_id TEXT NOT NULL,
    salt TEXT NOT NULL,
    digest TEXT NOT NULL,
    kind TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at FLOAT NOT NULL,
    expires_at FLOAT,
    revoked_at FLOAT,
    revoked_reason TEXT,
    last_used_at FLOAT,
    CONSTRAINT pk_token PRIMARY KEY (token_id)
);

CREATE TABLE token_grant (
    grant_id TEXT NOT NULL,
    token_id TEXT NOT NULL,
    capability TEXT NOT NULL,
    repository_id TEXT,
    granted_at FLOAT NOT NULL,
    expires_at FLOAT,
    revoked_at FLOAT,
    revoked_reason TEXT,
    CONSTRAINT pk_token_grant PRIMARY KEY (grant_id)
);

CREATE INDEX ix_token_grant_token_id ON token_grant (token_id);

CREATE TABLE page_hold (
    daemon TEXT NOT NULL,
    page_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    shown TEXT NOT NULL,
    purpose TEXT NOT NULL,
    since FLOAT NOT NULL,
    until FLOAT NOT NULL,
    CONSTRAINT pk_page_hold PRIMARY KEY (daemon, page_id)
);

CREATE TABLE page_seen (
    project_id TEXT NOT NULL,
    pages INTEGER NOT NULL,
    last_at FLOAT NOT NULL,
    CONSTRAINT pk_page_seen PRIMARY KEY (project_id)
);

CREATE TABLE daemon_start (
    seq INTEGER NOT NULL,
    at FLOAT NOT NULL,
    version TEXT NOT NULL,
    pid INTEGER NOT NULL,
    CONSTRAINT pk_daemon_start PRIMARY KEY (seq)
);

CREATE TABLE mcp_session (
    session TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    ended BOOLEAN NOT NULL,
    log_level TEXT,
    subscriptions TEXT NOT NULL,
    CONSTRAINT pk_mcp_session PRIMARY KEY (session)
);

CREATE INDEX ix_mcp_session_issued_at ON mcp_session (issued_at);

CREATE TABLE work_run (
    run_id TEXT NOT NULL,
    repository_id TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    roles TEXT NOT NULL,
    source TEXT,
    source_sha256 TEXT NOT NULL,
    prepared_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    prepared_at_us INTEGER NOT NULL,
    started_at_us INTEGER,
    ended_at_us INTEGER,
    CONSTRAINT pk_work_run PRIMARY KEY (run_id)
);

CREATE INDEX ix_work_run_repository_id ON work_run (repository_id, prepared_at_us);

CREATE TABLE work_job (
    job_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    type TEXT NOT NULL,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    fencing INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    "plan" TEXT NOT NULL,
    author_session_id TEXT,
    reason TEXT NOT NULL,
    revision TEXT NOT NULL,
    changed_at_us INTEGER NOT NULL,
    CONSTRAINT pk_work_job PRIMARY KEY (job_id)
);

CREATE INDEX ix_work_job_place ON work_job (run_id, place);

CREATE INDEX ix_work_job_state ON work_job (run_id, state);

CREATE UNIQUE INDEX uq_work_job_run_id ON work_job (run_id, name);

CREATE TABLE work_dependency (
    job_id TEXT NOT NULL,
    needs_job_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    CONSTRAINT pk_work_dependency PRIMARY KEY (job_id, needs_job_id)
);

CREATE INDEX ix_work_dependency_needs_job_id ON work_dependency (needs_job_id);

CREATE INDEX ix_work_dependency_run_id ON work_dependency (run_id);

CREATE TABLE work_session (
    session_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    role TEXT NOT NULL,
    slot INTEGER NOT NULL,
    label TEXT NOT NULL,
    state TEXT NOT NULL,
    token_id TEXT,
    registered_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    registered_at_us INTEGER NOT NULL,
    ended_at_us INTEGER,
    called_at_us INTEGER NOT NULL,
    awaited_at_us INTEGER,
    claimed_at_us INTEGER,
    acked_at_us INTEGER,
    heartbeat_at_us INTEGER,
    reported_at_us INTEGER,
    report_kind TEXT NOT NULL,
    report_phase TEXT NOT NULL,
    report_obstacle TEXT NOT NULL,
    report_message TEXT NOT NULL,
    CONSTRAINT pk_work_session PRIMARY KEY (session_id)
);

CREATE INDEX ix_work_session_run_id ON work_session (run_id, registered_at_us);

CREATE INDEX ix_work_session_token_id ON work_session (token_id);

CREATE UNIQUE INDEX uq_work_session_slot ON work_session (run_id, role, slot) WHERE state = 'active';

CREATE TABLE work_message (
    seq INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    role TEXT NOT NULL,
    priority INTEGER NOT NULL,
    state TEXT NOT NULL,
    created_at_us INTEGER NOT NULL,
    changed_at_us INTEGER NOT NULL,
    CONSTRAINT pk_work_message PRIMARY KEY (seq),
    CONSTRAINT uq_work_message_message_id UNIQUE (message_id)
);

CREATE INDEX ix_work_message_pending ON work_message (run_id, role, priority DESC, seq) WHERE state = 'pending';

CREATE INDEX ix_work_message_run_id ON work_message (run_id);

CREATE UNIQUE INDEX uq_work_message_live ON work_message (job_id) WHERE state IN ('pending', 'claimed', 'acked');

CREATE TABLE work_lease (
    lease_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    fencing INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    state TEXT NOT NULL,
    claimed_at_us INTEGER NOT NULL,
    until_us INTEGER NOT NULL,
    acked_at_us INTEGER,
    ended_at_us INTEGER,
    reason TEXT NOT NULL,
    outcome TEXT,
    tree TEXT NOT NULL,
    CONSTRAINT pk_work_lease PRIMARY KEY (lease_id)
);

CREATE INDEX ix_work_lease_run_id ON work_lease (run_id);

CREATE INDEX ix_work_lease_until_us ON work_lease (until_us) WHERE state = 'active';

CREATE UNIQUE INDEX uq_work_lease_fencing ON work_lease (job_id, fencing);

CREATE UNIQUE INDEX uq_work_lease_job_id ON work_lease (job_id) WHERE state = 'active';

CREATE UNIQUE INDEX uq_work_lease_session_id ON work_lease (session_id) WHERE state = 'active';

CREATE TABLE work_packet (
    packet_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    lease_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    document TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    created_at_us INTEGER NOT NULL,
    CONSTRAINT pk_work_packet PRIMARY KEY (packet_id),
    CONSTRAINT uq_work_packet_lease_id UNIQUE (lease_id)
);

CREATE INDEX ix_work_packet_job_id ON work_packet (job_id);

CREATE INDEX ix_work_packet_run_id ON work_packet (run_id);

CREATE INDEX ix_work_packet_session_id ON work_packet (session_id);

CREATE TABLE work_artifact (
    seq INTEGER NOT NULL,
    artifact_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    fencing INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    logical_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    version TEXT NOT NULL,
    content BLOB,
    published_at_us INTEGER NOT NULL,
    CONSTRAINT pk_work_artifact PRIMARY KEY (seq),
    CONSTRAINT uq_work_artifact_artifact_id UNIQUE (artifact_id)
);

CREATE INDEX ix_work_artifact_run_id ON work_artifact (run_id);

CREATE UNIQUE INDEX uq_work_artifact_logical_name ON work_artifact (job_id, attempt, fencing, logical_name);

CREATE TABLE work_review (
    review_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    reviewed_job_id TEXT NOT NULL,
    reviewed_attempt INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    rationale TEXT NOT NULL,
    findings_artifact_id TEXT,
    verdict_ids TEXT NOT NULL,
    recorded_at_us INTEGER NOT NULL,
    CONSTRAINT pk_work_review PRIMARY KEY (review_id)
);

CREATE INDEX ix_work_review_reviewed_job_id ON work_review (reviewed_job_id);

CREATE INDEX ix_work_review_run_id ON work_review (run_id);

CREATE UNIQUE INDEX uq_work_review_job_id ON work_review (job_id, attempt);

CREATE TABLE work_blocker (
    seq INTEGER NOT NULL,
    blocker_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    job_id TEXT,
    session_id TEXT,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    description TEXT NOT NULL,
    state TEXT NOT NULL,
    opened_at_us INTEGER NOT NULL,
    resolution TEXT NOT NULL,
    resolved_by TEXT NOT NULL,
    resolved_at_us INTEGER,
    CONSTRAINT pk_work_blocker PRIMARY KEY (seq),
    CONSTRAINT uq_work_blocker_blocker_id UNIQUE (blocker_id)
);

CREATE INDEX ix_work_blocker_job_id ON work_blocker (job_id);

CREATE INDEX ix_work_blocker_open ON work_blocker (run_id) WHERE state = 'open';

CREATE INDEX ix_work_blocker_run_id ON work_blocker (run_id);

CREATE TABLE work_event (
    seq INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    repository_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    job_id TEXT,
    session_id TEXT,
    lease_id TEXT,
    subject TEXT NOT NULL,
    principal TEXT NOT NULL,
    detail TEXT NOT NULL,
    CONSTRAINT pk_work_event PRIMARY KEY (seq)
);

CREATE INDEX ix_work_event_job_id ON work_event (job_id);

CREATE INDEX ix_work_event_run_id ON work_event (run_id);

CREATE INDEX ix_work_event_session_id ON work_event (session_id);

CREATE TABLE work_tree (
    tree TEXT NOT NULL,
    manifest BLOB NOT NULL,
    size_bytes INTEGER NOT NULL,
    kept_at_us INTEGER NOT NULL,
    CONSTRAINT pk_work_tree PRIMARY KEY (tree)
);

CREATE INDEX ix_work_tree_kept_at_us ON work_tree (kept_at_us);
