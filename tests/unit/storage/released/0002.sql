BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE audit (
	seq INTEGER NOT NULL, 
	audit_id TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	principal TEXT NOT NULL, 
	carrier TEXT NOT NULL, 
	tool TEXT NOT NULL, 
	decision TEXT NOT NULL, 
	arguments_sha256 TEXT NOT NULL, 
	duration_ms FLOAT NOT NULL, 
	verdict_id TEXT, 
	CONSTRAINT pk_audit PRIMARY KEY (seq), 
	CONSTRAINT uq_audit_audit_id UNIQUE (audit_id)
);
INSERT INTO "audit" VALUES(3,'audit_a',1.76446080012345600128e+09,'local','sse','reticle_sessions','allowed','0000000000000000000000000000000000000000000000000000000000000000',1.25,NULL);
INSERT INTO "audit" VALUES(4,'audit_b',1764460801.5,'pairing','http','reticle_assert','allowed','1111111111111111111111111111111111111111111111111111111111111111',812.5,'verdict_1');
INSERT INTO "audit" VALUES(5,'audit_c',1764460802.0,'local','stdio','reticle_act','refused:bad_arguments','2222222222222222222222222222222222222222222222222222222222222222',0.031,NULL);
INSERT INTO "audit" VALUES(9,'audit_d',1764460803.0,'local','sse','unknown ü  tool','failed:incident_0123456789ab','3333333333333333333333333333333333333333333333333333333333333333',7.0,NULL);
INSERT INTO "audit" VALUES(10,'audit_e',1764460804.0,'local','http','reticle_wait_for','cancelled','4444444444444444444444444444444444444444444444444444444444444444',30000.0,NULL);
CREATE TABLE daemon_start (
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	version TEXT NOT NULL, 
	pid INTEGER NOT NULL, 
	CONSTRAINT pk_daemon_start PRIMARY KEY (seq)
);
INSERT INTO "daemon_start" VALUES(1,1764460700.0,'0.1.0',4242);
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
CREATE TABLE page_seen (
	project_id TEXT NOT NULL, 
	pages INTEGER NOT NULL, 
	last_at FLOAT NOT NULL, 
	CONSTRAINT pk_page_seen PRIMARY KEY (project_id)
);
INSERT INTO "page_seen" VALUES('shop',3,1764460800.25);
INSERT INTO "page_seen" VALUES('',1,1764460801.25);
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
CREATE INDEX ix_mcp_session_issued_at ON mcp_session (issued_at);
COMMIT;
