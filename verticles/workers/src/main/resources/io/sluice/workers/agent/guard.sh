#!/bin/sh
# guard.sh CLOCK LEASE GRACE GROUPS EXIT CLEANUP COMMAND...
# Runs one instance in a session of its own, and ends with its exit status, which it also writes to the file EXIT. It
# ends the instance on SIGTERM, and once the time in the file LEASE has come: hundredths of a second by the file
# CLOCK, /proc/uptime, which goes on while the machine is suspended. It needs nothing of the program that started it. GRACE is in hundredths
# too. GROUPS are control groups, with colons between them. The script CLEANUP ends what no signal reaches.
# A dash stands for no lease, no control group, no script.
clock=$1
lease=$2
grace=$3
groups=$4
exit=$5
cleanup=$6
shift 6

if [ "$groups" != - ]; then
  old=$IFS
  IFS=:
  for group in $groups; do
    echo $$ > "$group/cgroup.procs" || exit 126
  done
  IFS=$old
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
  read -r up rest < "$clock"
  now=${up%.*}${up#*.}
}

clean() {
  [ "$cleanup" = - ] || /bin/sh "$cleanup" > /dev/null 2>&1
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
      clean
      kill -KILL "-$child"
    fi
  fi
  sleep 0.2
done 2> /dev/null
wait "$child"
code=$?
# What it started goes with it.
kill -KILL "-$child" 2> /dev/null
clean
echo "$code" > "$exit"
exit $code
