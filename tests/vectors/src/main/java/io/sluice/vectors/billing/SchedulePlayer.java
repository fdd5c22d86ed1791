package io.sluice.vectors.billing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.billing.core.reference.ReferenceCollector;
import io.sluice.billing.core.reference.ReferenceSchedule;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Plays one run: changes of VMs on one side, ticks at their own times on the other. */
final class SchedulePlayer {
    private final Values run;
    private final Instant startedAt;
    private final Instant stop;
    private final ReferenceSchedule schedule;
    private final ReferenceCollector collector;
    private final RecordedVms vms = new RecordedVms();
    private final Iterator<Values> changes;
    private final List<JsonNode> pushes = new ArrayList<>();
    private Values change;

    private SchedulePlayer(Values run) {
        this.run = run;
        this.startedAt = run.instant("startedAt");
        this.stop = startedAt.plusMillis(run.whole("stopMs"));
        this.schedule =
                new ReferenceSchedule(startedAt, period("collectEverySeconds"), period("accumulateEverySeconds"));
        this.collector = new ReferenceCollector(schedule.firstWindowStart());
        var listed = new ArrayList<Values>();
        run.json().path("changes").forEach(json -> listed.add(new Values(run.line(), json)));
        this.changes = listed.iterator();
        this.change = next();
    }

    static void play(Recording.Line line, Tally tally) {
        var player = new SchedulePlayer(Values.of(line));
        player.run();
        player.compare(line.json().path("pushes"), tally);
    }

    private Duration period(String key) {
        long seconds = run.whole(key);
        if (seconds == 0) {
            throw run.line().malformed("`" + key + "` should be at least 1: 0");
        }
        return Duration.ofSeconds(seconds);
    }

    private Values next() {
        return changes.hasNext() ? changes.next() : null;
    }

    private void run() {
        var look = schedule.lookAfter(startedAt);
        var end = schedule.windowEndAfter(startedAt);
        while (look.isBefore(stop) || end.isBefore(stop)) {
            if (look.isAfter(end)) {
                changeUntil(end);
                push(end);
                end = schedule.windowEndAfter(end);
            } else {
                changeUntil(look);
                collector.sample(look, vms.observed());
                look = schedule.lookAfter(look);
            }
        }
    }

    private void changeUntil(Instant now) {
        while (change != null && startedAt.plusMillis(change.whole("atMs")).isBefore(now)) {
            if (change.flag("gone")) {
                vms.remove(change);
            } else {
                vms.put(change);
            }
            change = next();
        }
    }

    private void push(Instant now) {
        var charges = collector.push(now);
        if (!charges.isEmpty()) {
            long atMs = Duration.between(startedAt, now).toMillis();
            pushes.add(OurAnswers.pushOfARun(charges, now, atMs));
        }
    }

    private void compare(JsonNode recorded, Tally tally) {
        for (int i = 0; i < Math.max(recorded.size(), pushes.size()); i++) {
            var results = new Results(run.line());
            var ours = i < pushes.size() ? pushes.get(i) : MissingNode.getInstance();
            results.expect("pushes." + i, recorded.path(i), ours);
            tally.compared(results.differences());
        }
    }
}
