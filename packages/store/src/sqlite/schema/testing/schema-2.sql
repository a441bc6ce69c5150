-- A store as Baton wrote it before there were users (schema 2): two conversations that wait, a run that has ended,
-- a request that was carried out, a key, and the claim of a process that died.
CREATE TABLE commits (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
CREATE TABLE heads ( id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, length INTEGER NOT NULL, recorded INTEGER NOT NULL, checksum INTEGER NOT NULL ) STRICT;
CREATE TABLE batches ( run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL ) STRICT;
CREATE UNIQUE INDEX batches_by_run ON batches (run, last);
CREATE TABLE runs ( id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, crew TEXT NOT NULL, session TEXT, status TEXT NOT NULL, created_at REAL NOT NULL, updated_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL ) STRICT;
CREATE INDEX runs_by_tenant ON runs (tenant, created_at, id);
CREATE INDEX runs_by_status ON runs (status, created_at, id);
CREATE INDEX runs_by_session ON runs (session, tenant) WHERE session IS NOT NULL;
CREATE TABLE sessions ( tenant TEXT NOT NULL, id TEXT NOT NULL, created_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (tenant, id) ) STRICT;
CREATE INDEX sessions_by_age ON sessions (tenant, created_at, id);
CREATE TABLE messages ( tenant TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (tenant, session, run) ) STRICT;
CREATE TABLE definitions (hash TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE keys ( id TEXT NOT NULL UNIQUE, created_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL ) STRICT;
CREATE TABLE leases (owner TEXT PRIMARY KEY, ends_at REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE pages ( name TEXT NOT NULL UNIQUE, ends_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL ) STRICT;
CREATE INDEX pages_by_end ON pages (ends_at);
CREATE TABLE requests ( key TEXT NOT NULL UNIQUE, run TEXT, kept_until REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL ) STRICT;
CREATE INDEX requests_by_run ON requests (run) WHERE run IS NOT NULL;
CREATE INDEX requests_by_end ON requests (kept_until);
INSERT INTO commits (id, count) VALUES (1, 6);
INSERT INTO heads (id, run, length, recorded, checksum) VALUES (1, 'run-1', 8, 1, 1868619804);
INSERT INTO heads (id, run, length, recorded, checksum) VALUES (2, 'run-2', 8, 1, 4134121894);
INSERT INTO heads (id, run, length, recorded, checksum) VALUES (3, 'run-3', 8, 1, 2171502896);
INSERT INTO batches (run, first, last, checksum, body) VALUES (1, 1, 7, 1341040743, '{"run":"run-1","seq":1,"at":1794857770755,"lane":"","type":"run.started","crew":"waits","input":"Hello from local","history":[],"entry":{"kind":"agent","id":"a"},"outputChars":{"each":16000,"total":64000},"session":"s"}
{"run":"run-1","seq":2,"at":1794857770755,"lane":"","type":"turn.started","turn":"1","agent":"a"}
{"run":"run-1","seq":3,"at":1794857770755,"lane":"","type":"step.started","step":"1.1","agent":"a","model":"script"}
{"run":"run-1","seq":4,"at":1794857770755,"lane":"","type":"text.delta","step":"1.1","agent":"a","text":"What"}
{"run":"run-1","seq":5,"at":1794857770755,"lane":"","type":"text.delta","step":"1.1","agent":"a","text":" next?"}
{"run":"run-1","seq":6,"at":1794857770755,"lane":"","type":"step.ended","step":"1.1","agent":"a","text":"What next?","calls":[],"finish":"stop","usage":{"inputTokens":32,"outputTokens":3},"state":[0]}
{"run":"run-1","seq":7,"at":1794857770755,"lane":"","type":"turn.ended","turn":"1","agent":"a","text":"What next?"}');
INSERT INTO batches (run, first, last, checksum, body) VALUES (1, 8, 8, 3057548329, '{"run":"run-1","seq":8,"at":1794857770765,"lane":"","type":"run.paused","by":"signal","agent":"a","questions":[]}');
INSERT INTO batches (run, first, last, checksum, body) VALUES (2, 1, 7, 2706712882, '{"run":"run-2","seq":1,"at":1794857770765,"lane":"","type":"run.started","crew":"waits","input":"Hello from acme","history":[],"entry":{"kind":"agent","id":"a"},"outputChars":{"each":16000,"total":64000},"session":"s"}
{"run":"run-2","seq":2,"at":1794857770765,"lane":"","type":"turn.started","turn":"1","agent":"a"}
{"run":"run-2","seq":3,"at":1794857770765,"lane":"","type":"step.started","step":"1.1","agent":"a","model":"script"}
{"run":"run-2","seq":4,"at":1794857770765,"lane":"","type":"text.delta","step":"1.1","agent":"a","text":"What"}
{"run":"run-2","seq":5,"at":1794857770765,"lane":"","type":"text.delta","step":"1.1","agent":"a","text":" next?"}
{"run":"run-2","seq":6,"at":1794857770765,"lane":"","type":"step.ended","step":"1.1","agent":"a","text":"What next?","calls":[],"finish":"stop","usage":{"inputTokens":32,"outputTokens":3},"state":[0]}
{"run":"run-2","seq":7,"at":1794857770765,"lane":"","type":"turn.ended","turn":"1","agent":"a","text":"What next?"}');
INSERT INTO batches (run, first, last, checksum, body) VALUES (2, 8, 8, 1100222715, '{"run":"run-2","seq":8,"at":1794857770765,"lane":"","type":"run.paused","by":"signal","agent":"a","questions":[]}');
INSERT INTO batches (run, first, last, checksum, body) VALUES (3, 1, 8, 2311903427, '{"run":"run-3","seq":1,"at":1794857770765,"lane":"","type":"run.started","crew":"solo","input":"Alone","history":[],"entry":{"kind":"agent","id":"a"},"outputChars":{"each":16000,"total":64000}}
{"run":"run-3","seq":2,"at":1794857770765,"lane":"","type":"turn.started","turn":"1","agent":"a"}
{"run":"run-3","seq":3,"at":1794857770765,"lane":"","type":"step.started","step":"1.1","agent":"a","model":"script"}
{"run":"run-3","seq":4,"at":1794857770765,"lane":"","type":"text.delta","step":"1.1","agent":"a","text":"What"}
{"run":"run-3","seq":5,"at":1794857770765,"lane":"","type":"text.delta","step":"1.1","agent":"a","text":" next?"}
{"run":"run-3","seq":6,"at":1794857770765,"lane":"","type":"step.ended","step":"1.1","agent":"a","text":"What next?","calls":[],"finish":"stop","usage":{"inputTokens":19,"outputTokens":3},"state":[0]}
{"run":"run-3","seq":7,"at":1794857770765,"lane":"","type":"turn.ended","turn":"1","agent":"a","text":"What next?"}
{"run":"run-3","seq":8,"at":1794857770765,"lane":"","type":"run.ended","outcome":"done","by":"answer","agent":"a","text":"What next?"}');
INSERT INTO runs (id, tenant, crew, session, status, created_at, updated_at, checksum, body) VALUES ('run-1', 'local', 'waits', 's', 'paused', 1794857770755, 1794857770765, 639627109, '{"id":"run-1","tenant":"local","crew":"waits","definition":"5dab5821ca5fd6073770bc76bc4078c3ab1e0d0de2075fc425532282f9979179","session":"s","status":"paused","request":null,"input":"Hello from local","agent":"a","turns":1,"steps":1,"calls":0,"inputTokens":32,"outputTokens":3,"costUsd":0,"questions":[],"createdAt":1794857770755,"updatedAt":1794857770765,"outcome":"paused"}');
INSERT INTO runs (id, tenant, crew, session, status, created_at, updated_at, checksum, body) VALUES ('run-2', 'acme', 'waits', 's', 'paused', 1794857770765, 1794857770765, 2741874874, '{"id":"run-2","tenant":"acme","crew":"waits","definition":"5dab5821ca5fd6073770bc76bc4078c3ab1e0d0de2075fc425532282f9979179","session":"s","status":"paused","request":null,"input":"Hello from acme","agent":"a","turns":1,"steps":1,"calls":0,"inputTokens":32,"outputTokens":3,"costUsd":0,"questions":[],"createdAt":1794857770765,"updatedAt":1794857770765,"outcome":"paused"}');
INSERT INTO runs (id, tenant, crew, session, status, created_at, updated_at, checksum, body) VALUES ('run-3', 'local', 'solo', NULL, 'ended', 1794857770765, 1794857770765, 926779591, '{"id":"run-3","tenant":"local","crew":"solo","definition":"b451bf409b8eb2e42f782a84b91c2260bea0e061c7ef06918b5778fca81066d5","status":"ended","request":null,"input":"Alone","agent":"a","turns":1,"steps":1,"calls":0,"inputTokens":19,"outputTokens":3,"costUsd":0,"questions":[],"createdAt":1794857770765,"updatedAt":1794857770765,"outcome":"done"}');
INSERT INTO sessions (tenant, id, created_at, checksum, body) VALUES ('local', 's', 1794857770755, 3131283805, '{"id":"s","tenant":"local","createdAt":1794857770755,"updatedAt":1794857770765,"paused":"run-1"}');
INSERT INTO sessions (tenant, id, created_at, checksum, body) VALUES ('acme', 's', 1794857770765, 928752012, '{"id":"s","tenant":"acme","createdAt":1794857770765,"updatedAt":1794857770765,"paused":"run-2"}');
INSERT INTO messages (tenant, session, run, checksum, body) VALUES ('local', 's', 'run-1', 2343749258, '["{\"role\":\"user\",\"content\":\"Hello from local\"}","{\"role\":\"assistant\",\"agent\":\"a\",\"content\":\"What next?\"}"]');
INSERT INTO messages (tenant, session, run, checksum, body) VALUES ('acme', 's', 'run-2', 1677705586, '["{\"role\":\"user\",\"content\":\"Hello from acme\"}","{\"role\":\"assistant\",\"agent\":\"a\",\"content\":\"What next?\"}"]');
INSERT INTO definitions (hash, checksum, body) VALUES ('5dab5821ca5fd6073770bc76bc4078c3ab1e0d0de2075fc425532282f9979179', 791403633, '{"agents":[{"backstory":"","description":"","handoffTargets":[],"id":"a","isTerminal":false,"name":"a","parallelToolCalls":true,"role":"","temperature":0.7,"toolCalls":"auto","toolChoice":"auto","tools":[]},{"backstory":"","description":"","handoffTargets":[],"id":"b","isTerminal":true,"name":"b","parallelToolCalls":true,"role":"","temperature":0.7,"toolCalls":"auto","toolChoice":"auto","tools":[]}],"behaviors":[["a",{"waitForSignal":true}]],"defaults":[],"description":"","entry":"a","examples":[],"groups":[],"name":"waits","permissions":[],"settings":{"blockOnQuotaExceed":true,"contextTrimPct":20,"costAlertThreshold":0.8,"groupTimeoutMs":60000,"language":"en","maxCallsPerDay":10000,"maxCallsPerHour":1000,"maxCallsPerMinute":60,"maxConsecutiveErrors":5,"maxContextTokens":128000,"maxCostPerDayUsd":50,"maxErrorsPerDay":50,"maxErrorsPerHour":10,"maxHandoffs":5,"maxInputBytes":40960,"maxOutputChars":16000,"maxParallelCalls":8,"maxRepeatedCalls":3,"maxSteps":10,"maxStoredRuns":1000,"maxTokensPerCall":4000,"maxTokensPerDay":5000000,"maxTotalOutputChars":64000,"modelAttempts":4,"modelRetryMaxMs":20000,"modelRetryMinMs":500,"retryMaxMs":5000,"retryMinMs":100,"sharedToolResults":false,"sseKeepAliveMs":30000,"streamBuffer":100,"timeoutMs":300000,"timeoutWarningPct":20,"toolIsolation":"inline","toolSequenceTimeoutMs":120000,"toolTimeoutMs":30000},"signals":[["a",[{"signal":"[GO]","target":"b"}]]],"tasks":[],"tools":[]}');
INSERT INTO definitions (hash, checksum, body) VALUES ('b451bf409b8eb2e42f782a84b91c2260bea0e061c7ef06918b5778fca81066d5', 3769971282, '{"agents":[{"backstory":"","description":"","handoffTargets":[],"id":"a","isTerminal":true,"name":"a","parallelToolCalls":true,"role":"","temperature":0.7,"toolCalls":"auto","toolChoice":"auto","tools":[]}],"behaviors":[],"defaults":[],"description":"","entry":"a","examples":[],"groups":[],"name":"solo","permissions":[],"settings":{"blockOnQuotaExceed":true,"contextTrimPct":20,"costAlertThreshold":0.8,"groupTimeoutMs":60000,"language":"en","maxCallsPerDay":10000,"maxCallsPerHour":1000,"maxCallsPerMinute":60,"maxConsecutiveErrors":5,"maxContextTokens":128000,"maxCostPerDayUsd":50,"maxErrorsPerDay":50,"maxErrorsPerHour":10,"maxHandoffs":5,"maxInputBytes":40960,"maxOutputChars":16000,"maxParallelCalls":8,"maxRepeatedCalls":3,"maxSteps":10,"maxStoredRuns":1000,"maxTokensPerCall":4000,"maxTokensPerDay":5000000,"maxTotalOutputChars":64000,"modelAttempts":4,"modelRetryMaxMs":20000,"modelRetryMinMs":500,"retryMaxMs":5000,"retryMinMs":100,"sharedToolResults":false,"sseKeepAliveMs":30000,"streamBuffer":100,"timeoutMs":300000,"timeoutWarningPct":20,"toolIsolation":"inline","toolSequenceTimeoutMs":120000,"toolTimeoutMs":30000},"signals":[],"tasks":[],"tools":[]}');
INSERT INTO keys (id, created_at, checksum, body) VALUES ('0123456789abcdef', 1000, 3571209696, '{"id":"0123456789abcdef","tenant":"acme","scopes":["run","read"],"hash":"00ff","createdAt":1000}');
INSERT INTO leases (owner, ends_at) VALUES ('dead-process', 1000);
INSERT INTO claims (key, owner, number) VALUES ('session:acme:s', 'dead-process', 7);
INSERT INTO requests (key, run, kept_until, checksum, body) VALUES ('request:["local","order 1"]', 'run-1', 4000000000000000, 330452135, '{"key":"request:[\"local\",\"order 1\"]","fingerprint":"f","begun":{"run":"run-1","after":0},"answer":"{\"id\":\"run-1\"}","keptUntil":4000000000000000}');
PRAGMA application_id=1113683054; PRAGMA user_version=2;
