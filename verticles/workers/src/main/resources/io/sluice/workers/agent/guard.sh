#!/bin/sh
# guard.sh LEASE GRACE GROUP COMMAND...
# Runs one instance in a session of its own, and ends with its exit status. It ends the instance on SIGTERM, and once
# the time in the file LEASE has come: hundredths of a second by /proc/uptime, which goes on while the machine is
# suspended. It needs nothing of the program that started it. GRACE is in hundredths too.
# A dash stands for no lease or no control group.
lease=$1
grace=$2
group=$3
shift 3

if [ "$group" != - ]; then
  echo $$ > "$group/cgroup.procs" || exit 126
fi

stop=
trap 'stop=1' TERM INT HUP

# The instance does not outlive this guard either.
if command -v setpriv > /dev/null; then
  setsid setpriv --pdeathsig KILL -- "$@" &
else
  setsid "$@" &
fi
child=$!

now() {
  read -r up rest < /proc/uptime
  now=${up%.*}${up#*.}
}

kill_at=
while read -r stat < "/proc/$child/stat"; do
  case ${stat##*) } in Z*) break ;; esac
  now
  if [ -z "$stop" ] && [ "$lease" != - ]; then
    # A lease that cannot be read is over.
    until=0
    read -r until < "$lease"
    [ "$now" -ge "${until:-0}" ] && stop=1
  fi
  if [ -n "$stop" ]; then
    if [ -z "$kill_at" ]; then
      kill_at=$((now + grace))
      kill -TERM "-$child"
    elif [ "$now" -ge "$kill_at" ]; then
      kill -KILL "-$child"
    fi
  fi
  sleep 0.2
done 2> /dev/null
wait "$child"
code=$?
# What it started goes with it.
kill -KILL "-$child" 2> /dev/null
exit $code
