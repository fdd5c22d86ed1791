#!/bin/sh
# guard.sh CLOCK LEASE GRACE GROUPS EXIT CLEANUP VARIABLES COMMAND...
# Runs one instance in a session of its own, and ends with its exit status, which it also writes to the file EXIT. It
# ends the instance on SIGTERM, and once the time in the file LEASE has come: hundredths of a second by the file
# CLOCK, /proc/uptime, which goes on while the machine is suspended. It needs nothing of the program that started it.
# GRACE, how long the instance may then take, is in hundredths too, and with a lease never goes on beyond LEASE + GRACE. GROUPS are control groups of the instance alone, with colons between them: what is left in
# them ends with it. The script CLEANUP ends what no signal reaches. The script VARIABLES sets the instance's variables.
# A dash stands for no lease, no control group, no script.
clock=$1
lease=$2
grace=$3
groups=$4
exit=$5
cleanup=$6
variables=$7
shift 7

stop=
trap 'stop=1' TERM INT HUP

each_group() {
  [ "$groups" = - ] && return
  old=$IFS
  IFS=:
  for group in $groups; do
    "$1" "$group" || exit 126
  done
  IFS=$old
}

join() {
  echo 0 > "$1/cgroup.procs"
}

# This guard is in no group, so that it ends neither itself nor for want of the instance's memory. The instance does
# not outlive it either.
(
  each_group join
  if setpriv=$(command -v setpriv); then
    set -- "$setpriv" --pdeathsig KILL -- "$@"
  fi
  set -- "$(command -v setsid)" "$@"
  # From here on nothing is found by PATH, no function is called and no variable is read: all may be the instance's.
  [ "$variables" = - ] || . "$variables"
  exec "$@"
) &
child=$!

now() {
  read -r up rest < "$clock"
  now=${up%.*}${up#*.}
}

clean() {
  [ "$cleanup" = - ] || /bin/sh "$cleanup" > /dev/null 2>&1
}

# What has left the session is still in the groups.
empty_group() {
  if [ -e "$1/cgroup.kill" ]; then
    echo 1 > "$1/cgroup.kill"
  fi
  while read -r pid; do
    # A process of another namespace is 0, which would mean this guard's group.
    [ "$pid" -eq 0 ] || kill -KILL "$pid"
    left=1
  done < "$1/cgroup.procs"
  return 0
}

kill_at=
signalled=
while read -r stat < "/proc/$child/stat"; do
  case ${stat##*) } in Z*) break ;; esac
  now
  if [ "$lease" != - ]; then
    until=
    read -r until < "$lease"
    # A lease that cannot be read, or is no number of at most 15 digits, is over, and so is its grace.
    case $until in '' | *[!0-9]* | 0?* | ????????????????*) until=$((now - grace)) ;; esac
    [ "$now" -lt "$until" ] || stop=1
  fi
  if [ -n "$stop" ]; then
    : "${kill_at:=$((now + grace))}"
    # By the fence and not by now, whatever ends it: after a suspension there may be no grace left.
    if [ "$lease" != - ] && [ "$kill_at" -gt $((until + grace)) ]; then
      kill_at=$((until + grace))
    fi
    if [ "$now" -ge "$kill_at" ]; then
      kill -KILL "-$child"
      each_group empty_group
      clean
    elif [ -z "$signalled" ]; then
      signalled=1
      kill -TERM "-$child"
    fi
  fi
  sleep 0.2
done 2> /dev/null
wait "$child"
code=$?
# What it started goes with it.
kill -KILL "-$child" 2> /dev/null
for round in 1 2 3 4 5 6 7 8 9 10; do
  left=
  each_group empty_group 2> /dev/null
  [ -z "$left" ] && break
  sleep 0.1
done
clean
echo "$code" > "$exit"
exit $code
