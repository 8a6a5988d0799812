"""A Slurm of its own: munged, slurmctld and several slurmd on this machine, with keys, ports and folders of their own.

It touches no other Slurm of the machine, needs no rights beyond those of the user, and ends only what it has started.
"""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo")
# beside the users' programs in Debian
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"


def missing():
    """the programs that are not there"""
    return [name for name in PROGRAMS if not shutil.which(name, path=PATH)]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder, nodes=4, cpus=1):
        self.folder = Path(folder)
        self.names = [f"n{i + 1}" for i in range(nodes)]
        self.processes = {}
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(self.folder / "slurm.conf")}
        for name in ("state", "log", *(f"spool-{node}" for node in self.names)):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        self.write_files(cpus)
        self.start()

    def write_files(self, cpus):
        folder, user, host = self.folder, getpass.getuser(), socket.gethostname().split(".")[0]
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        control, *ports = free_ports(1 + len(self.names))
        nodes = "\n".join(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={cpus} State=UNKNOWN"
                          for name, port in zip(self.names, ports))
        (folder / "slurm.conf").write_text(f"""ClusterName=ossa
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_res
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SlurmdParameters=config_overrides
SlurmctldParameters=enable_configless
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
ReturnToService=2
SlurmdTimeout=10
KillWait=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""".replace("SlurmctldParameters=enable_configless\n", ""))

    def spawn(self, name, *words):
        with open(self.folder / "log" / f"{name}.out", "ab") as log:
            # a session of its own, so that no signal of the terminal or of the test reaches it
            self.processes[name] = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                    start_new_session=True)

    def start_node(self, name):
        self.spawn(name, "slurmd", "-D", "-N", name, "-f", self.folder / "slurm.conf")

    def start(self):
        folder = self.folder
        try:
            self.spawn("munged", "munged", "-F", "--key-file", folder / "munge.key", "--socket", folder / "munge.socket", "--log-file",
                       folder / "log/munged.log", "--pid-file", folder / "munged.pid", "--seed-file", folder / "munged.seed")
            self.wait_for(lambda: (folder / "munge.socket").exists(), 20, "munged")
            self.spawn("slurmctld", "slurmctld", "-D", "-f", folder / "slurm.conf")
            for name in self.names:
                self.start_node(name)
            self.wait_for(lambda: self.idle() == len(self.names), 60, "nodes")
        except BaseException:
            self.stop()
            raise

    def command(self, *words, check=True):
        done = subprocess.run(list(map(str, words)), env=self.environment, capture_output=True, text=True, timeout=60)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout

    def idle(self):
        return sum(state.strip("*") in ("idle", "mixed", "allocated") and "*" not in state
                   for state in self.command("sinfo", "-h", "-N", "-o", "%T", check=False).split())

    def wait_for(self, is_true, seconds, what):
        end = time.monotonic() + seconds
        while not is_true():
            if time.monotonic() > end:
                raise RuntimeError(f"no {what} within {seconds} s; logs in {self.folder}/log")
            time.sleep(0.1)

    def jobs(self, state=None):
        """lines of squeue: ID_TASK, state, node, name"""
        text = self.command("squeue", "-h", "-r", "-o", "%i|%T|%N|%j", check=False)
        return [line.split("|") for line in text.splitlines() if not state or line.split("|")[1] == state]

    def wait_for_jobs(self, seconds):
        self.wait_for(lambda: not self.jobs(), seconds, "end of the jobs")

    def descendants(self, process):
        """the numbers of a process and of all that it has started"""
        children = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                words = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(words[1]), []).append(int(path.parent.name))
        found = [process]
        for one in found:
            found += children.get(one, [])
        return found

    def kill_node(self, name):
        """ends a node at once with all that runs on it, as a power cut does"""
        victims = set(self.descendants(self.processes[name].pid))
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "environ").read_bytes().decode(errors="replace").split("\0")
                parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
                # what watches a job is its parent, and no child of the node's slurmd for long
                watcher = parent if "slurmstepd" in Path(f"/proc/{parent}/comm").read_text() else int(path.name)
            except OSError:
                continue
            if f"SLURMD_NODENAME={name}" in words and f"SLURM_CONF={self.environment['SLURM_CONF']}" in words:
                victims |= set(self.descendants(watcher))
        victims -= {os.getpid()}
        # first they all stand still, so that none can report the end of another
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for one in victims:
                try:
                    os.kill(one, number)
                except ProcessLookupError:
                    pass
        self.processes.pop(name).wait()

    def stop(self):
        if "slurmctld" in self.processes:
            for line in self.jobs():
                self.command("scancel", line[0], check=False)
        for name in [*self.names, "slurmctld", "munged"]:
            process = self.processes.pop(name, None)
            if not process:
                continue
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
