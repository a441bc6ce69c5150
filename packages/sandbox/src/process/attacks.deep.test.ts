import assert from "node:assert/strict";
import { readdir, readFile, symlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import type { LevelJob } from "@baton/core/ports";
import { openTrial, type SandboxTrial } from "../testing/sandboxed-call.ts";

/** Values that no call may show. */
const SECRETS = ["dotsecret1", "runsecret1", "gitsecret1", "serversecret1"];

type Attack = readonly [what: string, script: string, expected: RegExp, sandbox?: LevelJob["sandbox"]];

const SHELL: readonly Attack[] = [
  ["reads the environment of pid 1", "tr '\\0' '\\n' < /proc/1/environ; echo end", /end/],
  ["reads the environment of every process", "cat /proc/*/environ; echo end", /end/],
  ["reads .env of the crew", "cat .env", /^permanent: .*No such file/],
  ["reads a dot folder deep in the crew", "cat deep/.git/config", /^permanent: .*No such file/],
  ["reads the data folder", "cat kept/baton.db", /^permanent: .*No such file/],
  ["sees the other files of a folder with dot names", "cat deep/b.txt", /^output "b"/],
  ["leaves the crew's folder by ..", "ls ../..; cat ../../etc/passwd", /^permanent/],
  ["reads /etc/passwd", "cat /etc/passwd", /^permanent/],
  ["reads /etc/shadow by the root of another process", "cat /proc/1/root/etc/shadow", /^permanent/],
  ["looks for homes", "ls /root /home", /^permanent/],
  ["writes into the crew's folder", "echo x > data/a.txt", /^permanent: .*[Rr]ead-only/],
  ["writes a program", "echo x > /usr/bin/x", /^permanent/],
  ["makes a file at the root", "echo x > /x", /^permanent/],
  ["makes a device", "mknod $HOME/d b 8 0", /^permanent/],
  ["mounts", "mount -t tmpfs none /mnt", /^permanent/],
  ["makes a user namespace", "unshare -U id", /^permanent/],
  ["enters namespaces of pid 1", "nsenter -t 1 -m id", /^permanent/],
  ["sees processes of the machine", "ls /proc | grep -c '^[0-9]'", /^output [1-9]$/],
  ["kills pid 1", "kill -9 1; sleep 0.05; echo alive", /^output "alive/],
  ["kills everything", "kill -9 -1", /^(crash|permanent)/],
  ["writes a kernel setting", "echo 1 > /proc/sys/kernel/core_pattern", /^permanent/],
  ["triggers sysrq", "echo b > /proc/sysrq-trigger", /^permanent/],
  ["gains capabilities", "grep CapEff /proc/self/status", /0000000000000000/],
  ["gains new privileges", "grep NoNewPrivs /proc/self/status", /NoNewPrivs:\\t1/],
  ["is another user", "id -u; id -g", /65534\\n65534/],
  ["raises its limits", "ulimit -n 100000 && echo raised", /^permanent/],
  ["raises the number of processes", "prlimit --nproc=100000:100000 -p $$ && echo raised", /^permanent/],
  ["sees interfaces of the network", "ls /sys/class/net 2>/dev/null; cat /proc/net/dev | grep -c :", /^output 1$/],
  ["spins", "while :; do :; done", /^timeout: .*cpu_seconds/, { cpu_seconds: 1 }],
  [
    "spins in many processes",
    "for i in 1 2 3 4; do (while :; do :; done) & done; wait",
    /cpu_seconds/,
    { cpu_seconds: 1 },
  ],
  ["forks without end", "f() { f & f & }; f; sleep 0.3; echo end", /end|ork|crash|permanent/, { max_processes: 20 }],
  ["fills /tmp", "for i in 1 2 3; do head -c 30000000 /dev/zero > /tmp/$i || exit 1; done", /^permanent: .*disk_mb/],
  [
    "fills /dev/shm",
    "for i in 1 2 3; do head -c 30000000 /dev/zero > /dev/shm/$i || exit 1; done",
    /^permanent: .*disk_mb/,
  ],
  ["fills /dev", "head -c 1000 /dev/zero > /dev/x", /^permanent/],
  ["fills /run", "head -c 1000 /dev/zero > /run/x", /^permanent/],
  ["makes a large file", "head -c 90000000 /dev/zero > $HOME/x", /disk_mb/],
  ["floods its output", "yes", /^permanent: .*output_kb/],
  ["floods its errors", "yes >&2", /^permanent: .*output_kb/],
  ["leaves a child in a session of its own", "setsid sleep 60 >/dev/null 2>&1 & echo done", /^output "done/],
  ["closes its output and goes on", "exec >&- 2>&-; setsid sleep 60 & exit 0", /^output ""/],
  ["ignores SIGTERM", "trap '' TERM; echo yes; exit 0", /^output "yes/],
  ["has a temporary failure", "exit 75", /^temporary/],
  ["has a permanent failure", "echo why >&2; exit 3", /^permanent: .*code 3: why/],
  ["dies by a signal", "kill -SEGV $$", /^crash: .*SIGSEGV/],
  ["names a program that is missing", "exec nosuchprogram", /^permanent: .*127/],
  ["listens on descriptor 3", "cat <&3", /^(output ""|permanent)/],
  ["reads Baton's list of mounts", "cat <&4", /^permanent: .*(Bad file|bad file)/],
  ["ends with the code of a moved mount", "exit 120", /^permanent: .*code 120/],
  ["reads the memory of pid 1", "head -c 10 /proc/1/mem", /^permanent/],
  ["writes the memory of pid 1", "echo x > /proc/1/mem", /^permanent/],
  ["leaves by the folder of pid 1", "cat /proc/1/cwd/../../etc/hostname", /^permanent/],
  ["reads the kernel's memory", "head -c 10 /proc/kcore; head -c 10 /dev/mem", /^permanent/],
  ["reads the kernel's messages", "cat /proc/kmsg", /^permanent/],
  ["looks for devices", "ls /dev/sda /dev/vda /dev/kvm /dev/fuse", /^permanent/],
  ["looks for the kernel's objects", "ls /sys/fs/cgroup", /^permanent/],
  ["looks for sockets of services", "ls /var/run/docker.sock /run/systemd /run/user", /^permanent/],
  ["sets the clock", "date -s 2000-01-01", /^permanent: .*not permitted/],
  ["sets its host's name", "echo x > /proc/sys/kernel/hostname", /^permanent/],
  ["becomes root", "su -c id", /^permanent/],
  ["changes its user", "setpriv --reuid 0 id", /^permanent/],
  ["changes its root", "chroot / id", /^permanent/],
  ["changes its priority", "nice -n -10 true && echo raised", /raised|^permanent/],
  ["lifts the limit of its CPU", "ulimit -t unlimited && echo raised", /^permanent/],
  ["lifts the limit of its files", "ulimit -f unlimited && echo raised", /^permanent/],
  ["sees shared memory of the machine", "ipcs -m | grep -c 0x", /^permanent|^output 0/],
  ["makes files without end", "i=0; while : > /tmp/$i; do i=$((i+1)); done", /cpu_seconds|disk_mb/, { cpu_seconds: 1 }],
  ["makes folders without end", "while mkdir d && cd d; do :; done; exit 1", /^permanent|cpu_seconds/],
  [
    "makes pipes without end",
    "while :; do sleep 9 | sleep 9 & done",
    /^(crash|permanent|timeout)|ork/,
    { max_processes: 20, cpu_seconds: 1 },
  ],
  ["answers with bytes of zero", "printf 'a\\0b'", /^output "a\\u0000b"/],
  ["answers with half of a character", "printf '\\303'", /^output/],
  ["answers with a number that is too large", "echo 1e999", /^output/],
  ["writes errors that look like the sandbox's own", "echo 'bwrap: no' >&2; exit 1", /^permanent: .*code 1: bwrap: no/],
  ["stops itself", "kill -STOP $$", /^(error|timeout|crash)/],
];

const NODE: readonly Attack[] = [
  ["allocates memory", "const a=[];for(;;)a.push(Buffer.alloc(1e7,1))", /^crash: .*memory_mb/],
  [
    "allocates memory in children",
    "for(let i=0;i<5;i++)require('child_process').spawn(process.execPath,['-e','Buffer.alloc(9e7,1);setTimeout(()=>0,5000)']);setTimeout(()=>0,5000)",
    /^crash: .*memory_mb/,
  ],
  [
    "connects to the server",
    "require('net').connect(22,'127.0.0.1').on('error',e=>console.log(e.code))",
    /ECONNREFUSED/,
  ],
  [
    "connects to the metadata service",
    "require('net').connect(80,'169.254.169.254').on('error',e=>console.log(e.code))",
    /ENETUNREACH/,
  ],
  ["resolves a name", "require('dns').lookup('example.com',e=>console.log(e.code))", /EAI_AGAIN|ENOTFOUND/],
  [
    "connects to a socket of the machine",
    "require('net').connect('/run/dbus/system_bus_socket').on('error',e=>console.log(e.code))",
    /ENOENT/,
  ],
  ["looks for the proxy without hosts", "console.log(require('fs').existsSync('/run/baton.sock'))", /false/],
  ["reads secrets of the server", "console.log(JSON.stringify(process.env))", /BATON_KEY/],
  ["reads its arguments in pid 1", "console.log(require('fs').readFileSync('/proc/1/cmdline','utf8'))", /bwrap/],
  [
    "reads variables of the proxy",
    "console.log(process.env.HTTP_PROXY === undefined && process.env.NODE_OPTIONS === undefined)",
    /true/,
  ],
  [
    "connects to an abstract socket",
    "require('net').connect('\\0/tmp/.X11-unix/X0').on('error',e=>console.log(e.code))",
    /ECONNREFUSED|ENOENT/,
  ],
  [
    "listens for the machine",
    "require('net').createServer().listen(80,'0.0.0.0').on('error',e=>console.log(e.code))",
    /EACCES/,
  ],
  [
    "sends by UDP",
    "require('dgram').createSocket('udp4').send('x',53,'8.8.8.8',e=>{console.log(e.code);process.exit()})",
    /ENETUNREACH/,
  ],
  [
    "kills what started it",
    "try{process.kill(process.ppid,'SIGKILL')}catch(e){console.log(e.code)};setTimeout(()=>console.log('alive'),50)",
    /alive/,
  ],
  [
    "starts threads without end",
    "const{Worker}=require('worker_threads');for(let i=0;i<200;i++)new Worker('setInterval(()=>0,9)',{eval:true}).on('error',()=>0)",
    /^(crash|permanent|timeout): /,
  ],
  ["opens files without end", "try{for(;;)require('fs').openSync('/dev/null')}catch(e){console.log(e.code)}", /EMFILE/],
  ["answers with deep JSON", "console.log('['.repeat(300000))", /^output "\[/],
  ["answers with __proto__", 'console.log(\'{"__proto__":{"x":1}}\')', /__proto__/],
  ["answers with bytes that are no text", "process.stdout.write(Buffer.from([255,254]))", /^output/],
];

await (async () => {
  process.env["SERVER_SECRET"] = "serversecret1";
  const trial: SandboxTrial = await openTrial();
  after(() => trial[Symbol.asyncDispose]());
  const skip = trial.missing === undefined ? false : `isolation: process is missing here: ${trial.missing}`;
  const all = [
    ...SHELL.map(([what, script, ...rest]) => [what, ["sh", "-c", script], ...rest] as const),
    ...NODE.map(([what, script, ...rest]) => [what, ["node", "-e", script], ...rest] as const),
  ];
  before(async () => {});
  for (const [what, command, expected, sandbox = {}] of inSlice(all)) {
    test(`a program that ${what} stays inside`, { skip }, async () => {
      const told = await trial.call(command, { sandbox });
      assert.match(told, expected);
      for (const secret of SECRETS) assert.ok(!told.includes(secret), `${secret} was shown`);
    });
  }
  test("a link that a tool put in place of a granted path is refused", { skip }, async () => {
    await trial.call(["sh", "-c", "mkdir out/sub; echo x > out/sub/x"], {
      paths: [await trial.grant("out", "writable")],
    });
    const sub = await trial.grant("out/sub");
    assert.match(await trial.call(["cat", "out/sub/x"], { paths: [sub] }), /^output "x/);
    await rm(join(trial.folder, "out/sub"), { recursive: true });
    await symlink(join(trial.folder, "kept"), join(trial.folder, "out/sub"));
    assert.match(await trial.call(["ls", "out/sub"], { paths: [sub] }), /^permission: /);
  });
  test("a named variable is in no argument that the machine's users can read", { skip }, async () => {
    const env = { TOKEN: "namedsecret1" };
    const seen = trial.call(["sh", "-c", "sleep 0.3; echo $TOKEN"], { env });
    const found: string[] = [];
    for (const pid of (await readdir("/proc")).filter((name) => Number(name) > 0)) {
      found.push(await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
    }
    assert.match(await seen, /namedsecret1/);
    assert.ok(!found.join("").includes("namedsecret1"));
  });
  test("a link in the crew's folder leads nowhere inside", { skip }, async () => {
    await symlink(join(trial.folder, "kept/baton.db"), join(trial.folder, "shortcut"));
    assert.match(await trial.call(["cat", "shortcut"]), /^permanent: .*No such file/);
  });
  test("calls run at the same time, and nothing is left of any", { skip }, async () => {
    const told = await Promise.all(Array.from({ length: 16 }, () => trial.call(["sleep", "1"])));
    assert.deepEqual(new Set(told), new Set(['output ""']));
    const children = await Promise.all(
      (await readdir("/proc/self/task")).map((id) => readFile(`/proc/self/task/${id}/children`, "utf8")),
    );
    assert.equal(children.join("").trim(), "");
    const own = `baton-proxy-${process.pid}-`;
    assert.deepEqual(
      (await readdir(tmpdir())).filter((name) => name.startsWith(own)),
      [],
    );
  });
})();
