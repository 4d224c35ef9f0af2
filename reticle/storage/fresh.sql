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
