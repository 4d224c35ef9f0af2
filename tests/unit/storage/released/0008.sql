BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
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
INSERT INTO "audit" VALUES(1,'audit_a',1764460800123456,'local','mcp','sse','reticle_sessions',NULL,'allowed','','0000000000000000000000000000000000000000000000000000000000000000',1250,NULL,X'1413EFE1177DBC4A4F1DE81E88C2312E0C0F61DF5394AED1BA10B4AFD1F4D8D3');
INSERT INTO "audit" VALUES(2,'audit_b',1764460801500000,'token:t1','rpc','socket','daemon.token.create','repo_1','allowed','','1111111111111111111111111111111111111111111111111111111111111111',812500,NULL,X'8F1180390643B01F5296A847EACA8710C73FD90EFDD3113AD7BF7225797E6D88');
INSERT INTO "audit" VALUES(3,'audit_c',1764460802000000,'local','mcp','stdio','x','repo_1','refused','capability_missing','2222222222222222222222222222222222222222222222222222222222222222',31,NULL,X'206DB5F78C35F5E55ED82080627FF1DFB78FB7BEFE266514A8269EC7A0B4173E');
CREATE TABLE audit_head (
	id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	row_hash BLOB NOT NULL, 
	CONSTRAINT pk_audit_head PRIMARY KEY (id)
);
INSERT INTO "audit_head" VALUES(1,3,X'206DB5F78C35F5E55ED82080627FF1DFB78FB7BEFE266514A8269EC7A0B4173E');
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
CREATE TABLE daemon_start (
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	version TEXT NOT NULL, 
	pid INTEGER NOT NULL, 
	CONSTRAINT pk_daemon_start PRIMARY KEY (seq)
);
INSERT INTO "daemon_start" VALUES(1,1764460700.0,'0.1.0',4242);
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
INSERT INTO "journal_chunk" VALUES(1,'s1',1,0,1764460800.0,220,X'78017D8F414EC4300C453D57E026DC00B65C2232898BA249E212BBC3963D9BA847184DCB94C21D4665C90D58B0E0246490CA9295FD24FFEFFF9F9E5BBC23E3DD5E2E87C667D1CD98E88144618FFA71FD79F37D0500AF99A48BE44C9339C2CB4AA830D840989643F00D6D46DA5152294362A53A4451E90B2E56CB839A28FF984DB4F3563D278139A0A8C15F82D9B1ADEF93D6A0A76905E94F65B29C125925D7BF97F936F8E48CB4ACD23F9609DBD644CC5B296FE7F54F5786EA4BAE8C81456ACED172778E7DCC74DFD5EAF53E7226B3E27244AD7DAA64F9017F948575');
CREATE TABLE mcp_session (
	session TEXT NOT NULL, 
	issued_at INTEGER NOT NULL, 
	ended BOOLEAN NOT NULL, 
	log_level TEXT, 
	subscriptions TEXT NOT NULL, 
	CONSTRAINT pk_mcp_session PRIMARY KEY (session)
);
INSERT INTO "mcp_session" VALUES('5f000000000000000000000000000000',1764460700,1,NULL,'[]');
INSERT INTO "mcp_session" VALUES('6f000000000000000000000000000000',1764460701,0,'warning','["reticle://sessions"]');
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
INSERT INTO "page_hold" VALUES('','shop-1','local','local','checking the cart',1764470000.0,1764470060.0);
CREATE TABLE page_seen (
	project_id TEXT NOT NULL, 
	pages INTEGER NOT NULL, 
	last_at FLOAT NOT NULL, 
	CONSTRAINT pk_page_seen PRIMARY KEY (project_id)
);
INSERT INTO "page_seen" VALUES('shop',3,1764460800.25);
INSERT INTO "page_seen" VALUES('',1,1764460801.25);
CREATE TABLE repository (
	repository_id TEXT NOT NULL, 
	root TEXT NOT NULL, 
	display_name TEXT NOT NULL, 
	origins TEXT NOT NULL, 
	registered_at FLOAT NOT NULL, 
	removed_at FLOAT, 
	CONSTRAINT pk_repository PRIMARY KEY (repository_id)
);
INSERT INTO "repository" VALUES('repo_1','/src/shop','shop','["http://localhost:3000"]',1764460700.0,NULL);
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
INSERT INTO "token" VALUES('t1','c2FsdA','ZGlnZXN0','cli','lane',1764460700.0,1864460700.0,NULL,NULL,1764460800.0);
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
INSERT INTO "token_grant" VALUES('grant_1','t1','write','repo_1',1764460700.0,NULL,NULL,NULL);
INSERT INTO "token_grant" VALUES('grant_2','t1','read',NULL,1764460700.0,NULL,1764460750.0,'revoked');
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
INSERT INTO "verdict" VALUES(1,'verdict_1',1764460800.5,'reticle_assert','local','s1','http://localhost:3000/','yes','proved','{"at":1.5,"claim":{"text":"ok"},"decision":{"because":"it held","findings":[],"honesty":{"blind_spots":{},"clean":true,"grade":3,"issues":[],"notes":[],"partial":false,"pending":{},"settled":true},"outcome":{"assertion":"net","children":[{"assertion":"text","children":[],"evidence":[],"expected":null,"failure":null,"final":false,"held":"yes","observed":null,"retry_after_ms":null}],"evidence":[{"url":"/api"}],"expected":null,"failure":null,"final":false,"held":"yes","observed":null,"retry_after_ms":null},"reason":"proved","source":null,"verified":"yes"},"page_id":"s1","principal":"local","tool":"reticle_assert","url":"http://x/","verdict_id":"verdict_1","versions":{}}');
CREATE TABLE verdict_window (
	seq INTEGER NOT NULL, 
	verdict_id TEXT NOT NULL, 
	bytes_until INTEGER NOT NULL, 
	document BLOB NOT NULL, 
	CONSTRAINT pk_verdict_window PRIMARY KEY (seq), 
	CONSTRAINT uq_verdict_window_verdict_id UNIQUE (verdict_id)
);
INSERT INTO "verdict_window" VALUES(1,'verdict_1',390,X'78015552D16EC3200CFC173F476AAB690FCB6FEC719A10052761A3C0C0693755FDF71D0DE996371BDBC7DDD957D246D82A2DD4BFBD77357331501F66EF910DC2B91542B9702EEAC843CCBCBC6D62EF8255254529D45F6F1D1D673BB2E08503B007ED0B7764261D46DEA2181F0B18883A61F2053D3104BED350A8FCCDDA68E613C094B3D413B20375C467BC60EEEDDAA8DFAB8D7D4AAB10AB458316057D02772AFACC96407283B94CB175A2384533ADC39987352CFC45FDA1A385EC33829F74077463D09E6E7090BF93CB405F254FCE5A86A3CD01482A5C09A335F045AD0C1E0D1186A9CC5F3317D91A552B0FA3F61D253DE26F08B73A614F0D540783C9F8484590563E8BBCF5BF8D8B43862FCA72128806F2A48B323AE9A3F34E5CA5DBD8C74B50C56497B016C933365A492C58A5EE23E5F881E5FDDBC2D2AE00F930B43D9DC1F9DFB189135FBD7C9D6202D29C3D924924F5BB9D8F46FB09D7D03FEDF7FB1DCA6D58954FBE347AD8271CB22E8CABD8E27C3D987A5850551CACB947731007F4C3ED1706E60909');
CREATE TABLE work_artifact (
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
	CONSTRAINT pk_work_artifact PRIMARY KEY (artifact_id)
);
INSERT INTO "work_artifact" VALUES('art_b','run_1','job_1',1,1,'sess_1','first','report','docs/first.md','00',3,'',X'6F6E65',1764470000000002);
INSERT INTO "work_artifact" VALUES('art_a','run_1','job_1',1,1,'sess_1','second','report','docs/second.md','00',3,'',NULL,1764470000000003);
CREATE TABLE work_blocker (
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
	CONSTRAINT pk_work_blocker PRIMARY KEY (blocker_id)
);
INSERT INTO "work_blocker" VALUES('blk_b','run_1','job_1',NULL,'attempts_exhausted','human_checkpoint','out of attempts','open',1764470000000004,'','',NULL);
INSERT INTO "work_blocker" VALUES('blk_a','run_1','job_1',NULL,'attempts_exhausted','human_checkpoint','out of attempts','open',1764470000000005,'','',NULL);
CREATE TABLE work_dependency (
	job_id TEXT NOT NULL, 
	needs_job_id TEXT NOT NULL, 
	run_id TEXT NOT NULL, 
	CONSTRAINT pk_work_dependency PRIMARY KEY (job_id, needs_job_id)
);
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
INSERT INTO "work_run" VALUES('run_1','shop','The total','needs_operator','{}',NULL,'','token:t1','',1764470000000000,1764470000000001,NULL);
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
CREATE TABLE work_tree (
	tree TEXT NOT NULL, 
	manifest BLOB NOT NULL, 
	size_bytes INTEGER NOT NULL, 
	kept_at_us INTEGER NOT NULL, 
	CONSTRAINT pk_work_tree PRIMARY KEY (tree)
);
CREATE INDEX ix_mcp_session_issued_at ON mcp_session (issued_at);
CREATE INDEX ix_repository_root ON repository (root);
CREATE INDEX ix_token_grant_token_id ON token_grant (token_id);
CREATE INDEX ix_verdict_window_bytes_until ON verdict_window (bytes_until);
CREATE INDEX ix_journal_chunk_page_id ON journal_chunk (page_id);
CREATE INDEX ix_journal_chunk_at ON journal_chunk (at);
CREATE INDEX ix_journal_chunk_bytes_until ON journal_chunk (bytes_until);
CREATE INDEX ix_work_run_repository_id ON work_run (repository_id, prepared_at_us);
CREATE INDEX ix_work_job_place ON work_job (run_id, place);
CREATE INDEX ix_work_job_state ON work_job (run_id, state);
CREATE UNIQUE INDEX uq_work_job_run_id ON work_job (run_id, name);
CREATE INDEX ix_work_dependency_needs_job_id ON work_dependency (needs_job_id);
CREATE INDEX ix_work_dependency_run_id ON work_dependency (run_id);
CREATE INDEX ix_work_session_run_id ON work_session (run_id, registered_at_us);
CREATE INDEX ix_work_session_token_id ON work_session (token_id);
CREATE UNIQUE INDEX uq_work_session_slot ON work_session (run_id, role, slot) WHERE state = 'active';
CREATE INDEX ix_work_message_pending ON work_message (run_id, role, priority DESC, seq) WHERE state = 'pending';
CREATE INDEX ix_work_message_run_id ON work_message (run_id);
CREATE UNIQUE INDEX uq_work_message_live ON work_message (job_id) WHERE state IN ('pending', 'claimed', 'acked');
CREATE INDEX ix_work_lease_run_id ON work_lease (run_id);
CREATE INDEX ix_work_lease_until_us ON work_lease (until_us) WHERE state = 'active';
CREATE UNIQUE INDEX uq_work_lease_fencing ON work_lease (job_id, fencing);
CREATE UNIQUE INDEX uq_work_lease_job_id ON work_lease (job_id) WHERE state = 'active';
CREATE UNIQUE INDEX uq_work_lease_session_id ON work_lease (session_id) WHERE state = 'active';
CREATE INDEX ix_work_packet_job_id ON work_packet (job_id);
CREATE INDEX ix_work_packet_run_id ON work_packet (run_id);
CREATE INDEX ix_work_packet_session_id ON work_packet (session_id);
CREATE INDEX ix_work_artifact_run_id ON work_artifact (run_id);
CREATE UNIQUE INDEX uq_work_artifact_logical_name ON work_artifact (job_id, attempt, fencing, logical_name);
CREATE INDEX ix_work_review_reviewed_job_id ON work_review (reviewed_job_id);
CREATE INDEX ix_work_review_run_id ON work_review (run_id);
CREATE UNIQUE INDEX uq_work_review_job_id ON work_review (job_id, attempt);
CREATE INDEX ix_work_blocker_job_id ON work_blocker (job_id);
CREATE INDEX ix_work_blocker_open ON work_blocker (run_id) WHERE state = 'open';
CREATE INDEX ix_work_blocker_run_id ON work_blocker (run_id);
CREATE INDEX ix_work_event_job_id ON work_event (job_id);
CREATE INDEX ix_work_event_run_id ON work_event (run_id);
CREATE INDEX ix_work_event_session_id ON work_event (session_id);
CREATE INDEX ix_work_tree_kept_at_us ON work_tree (kept_at_us);
COMMIT;
