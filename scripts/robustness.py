#!/usr/bin/env python3
"""Hornet in rough surroundings: many files as one project, two runs at once on one cache, a folder that must not be written
to, terminals of all kinds, Ctrl-C at any moment. Every answer must come in time and nothing may be left behind.

usage: robustness.py HORNET FOLDER [FILES] [SEED]
"""
import fcntl
import json
import os
import pty
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

LIMIT = 120  # seconds for a whole project
SLACK = 30  # to read it, and to end
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
problems = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}{'' if holds else f': {detail}'}", flush=True)
    if not holds:
        problems.append(what)


def project(folder, files, count):
    """Sources that stand on their own, as a Foundry project; what comes after their code is for other tools."""
    root = Path(tempfile.mkdtemp(prefix="hornet-rough-"))
    (root / "foundry.toml").write_text("[profile.default]\n")
    taken = 0
    for file in files:
        text = re.split(r"\n// (?:====|----)", file.read_text(errors="replace"))[0]
        if "==== Source" in text or re.search(r"^\s*import\b", text, re.M):
            continue
        place = root / "src" / file.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text + "\n")
        taken += 1
        if taken == count:
            break
    return root, taken


def session(pid):
    """Processes that are left of a session."""
    alive = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == pid and fields[0] != "Z":
                alive.append(entry.name)
    return alive


def left_over(pid):
    until = time.time() + 5
    while session(pid) and time.time() < until:
        time.sleep(0.1)
    return session(pid)


def run(hornet, args, cwd, env=None, interrupt=None):
    """Exit code, standard output, standard error, seconds, processes left."""
    began = time.time()
    child = subprocess.Popen([hornet, *args], cwd=cwd, env={**os.environ, **(env or {})}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
    if interrupt is not None:
        try:
            child.wait(interrupt)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    return child.returncode, out, err, time.time() - began, left_over(child.pid)


def on_terminal(hornet, args, cwd, columns, env=None):
    """Exit code and everything written to a terminal of this width."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.environ.update({"TERM": "xterm-256color", **(env or {})})
        time.sleep(0.2)
        os.execv(hornet, [hornet, *args])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    written = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), written


def verdicts(output):
    try:
        checks = json.loads(output)["checks"]
    except (ValueError, KeyError):
        return None
    key = lambda c: (c["contract"], c["location"]["file"], c["location"]["start"], c["kind"], c.get("annotation") and c["annotation"]["text"])
    return {key(c): c["verdict"] for c in checks}


def contradictions(one, other):
    decided = ("proved", "violated")
    return [k for k in one if k in other and one[k] != other[k] and one[k] in decided and other[k] in decided]


def snapshot(root):
    return {str(p): p.stat().st_mtime_ns for p in root.rglob("*")}


def without_mistakes(hornet, root):
    """Takes out what is refused, which the refusal has to name; how many files that were."""
    refused = set()
    while True:
        code, out, _, _, _ = run(hornet, ["verify", "--format", "json", "--timeout", "0.001", "--total-timeout", "1"], root)
        named = {d["location"]["file"] for d in json.loads(out)["diagnostics"] if d.get("location")} if code == 2 else set()
        if not named:
            check(f"{len(refused)} files are refused, each by its name", code != 2, out[-500:])
            return len(refused)
        refused |= named
        for name in named:
            (root / name).unlink()


def whole_project(hornet, root, taken):
    args = ["verify", "--no-cache", "--format", "json", "--total-timeout", str(LIMIT)]
    code, out, err, seconds, left = run(hornet, args, root)
    found = verdicts(out)
    check(f"{taken} files are one project: exit {code}, {len(found or {})} checks, {seconds:.0f} s",
          code in (0, 1, 3) and found is not None, err[-500:])
    check("within its time", seconds < LIMIT + SLACK, f"{seconds:.0f} s")
    check("without a crash", b"panicked" not in err, err[-500:])
    check("nothing is left running", not left, left)
    return found or {}


def two_at_once(hornet, root, alone):
    cache = tempfile.mkdtemp(prefix="hornet-rough-cache-")
    for name in ("z3", "solc"):
        os.symlink(Path(os.environ.get("HORNET_CACHE", Path.home() / ".cache/hornet")) / name, Path(cache) / name)
    args = ["verify", "--format", "json", "--total-timeout", str(LIMIT)]
    started = [subprocess.Popen([hornet, *args], cwd=root, env={**os.environ, "HORNET_CACHE": cache}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True) for _ in range(2)]
    for child in started:
        out, err = child.communicate()
        found = verdicts(out)
        check(f"two at once on one cache: exit {child.returncode}", found is not None and not contradictions(found, alone), err[-500:])
    code, out, err, seconds, _ = run(hornet, args, root, {"HORNET_CACHE": cache})
    check(f"and a third after them: {seconds:.1f} s", verdicts(out) is not None and not contradictions(verdicts(out), alone), err[-500:])
    shutil.rmtree(cache)


def untouched_folder(hornet, root):
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    before = snapshot(root)
    code, _, err, _, _ = run(hornet, ["verify", "--total-timeout", "20"], root)
    check(f"a folder that must not be written to: exit {code}", code in (0, 1, 3) and snapshot(root) == before, err[-500:])
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)


def terminals(hornet, root):
    args = ["verify", "--total-timeout", "10"]
    code, out, err, _, _ = run(hornet, args, root)
    check(f"no terminal: exit {code}, no colours", code in (0, 1, 3) and not COLOUR.search(out + err))
    code, out = on_terminal(hornet, args, root, 100)
    check(f"a terminal: exit {code}, colours", code in (0, 1, 3) and bool(COLOUR.search(out)))
    code, out = on_terminal(hornet, args, root, 100, {"NO_COLOR": "1"})
    check(f"NO_COLOR: exit {code}, none", code in (0, 1, 3) and not COLOUR.search(out))
    for columns in (1, 20, 40):
        code, out = on_terminal(hornet, args, root, columns)
        check(f"a terminal of {columns} columns: exit {code}", code in (0, 1, 3) and b"panicked" not in out, out[-300:])


def interrupts(hornet, root, chance):
    for command in (["verify", "--no-cache"], ["gas"]):
        codes, left = [], []
        for _ in range(10):
            code, _, err, _, alive = run(hornet, command, root, interrupt=chance.uniform(0.0, 4.0))
            codes.append(code)
            left += alive
            if b"panicked" in err:
                codes.append("panic")
        check(f"Ctrl-C at any moment of `hornet {command[0]}`: exit {sorted(set(map(str, codes)))}",
              set(codes) <= {130, -signal.SIGINT, 0, 1, 2, 3}, codes)
        check("nothing is left running", not left, left)


def main():
    hornet, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    files = sorted(folder.rglob("*.sol"))
    chance.shuffle(files)
    root, taken = project(folder, files, count)
    taken -= without_mistakes(hornet, root)
    alone = whole_project(hornet, root, taken)
    two_at_once(hornet, root, alone)
    shutil.rmtree(root)
    root, _ = project(folder, files, 8)
    without_mistakes(hornet, root)
    untouched_folder(hornet, root)
    terminals(hornet, root)
    interrupts(hornet, root, chance)
    shutil.rmtree(root)
    print(f"{len(problems)} problems" if problems else "nothing went wrong")
    sys.exit(1 if problems else 0)


main()
