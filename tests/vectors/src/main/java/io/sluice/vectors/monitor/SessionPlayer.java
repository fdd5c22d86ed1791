package io.sluice.vectors.monitor;

import io.sluice.units.VmId;
import io.sluice.vectors.Difference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Plays the monitor's side of one recording, step by step, against Sluice's dispatcher in place of the agent.
 *
 * <p>What the recorded agent requested, Sluice is made to request. What the recorded agent did and Sluice never does is
 * replaced by Sluice's next health check. Where the recorded agent gave up, Sluice is detached. Connections that were
 * open at the same time belong to different VMs, consecutive ones to one VM.
 */
final class SessionPlayer {
    private static final long LOOK_AGAIN_NANOS = 2_000_000;

    private final RecordedSession session;
    private final Timing timing;
    private final Dispatcher dispatcher;
    private final Map<Integer, PlayedConnection> connections = new LinkedHashMap<>();
    private final Map<Integer, Course> courses = new HashMap<>();
    private final List<Difference> differences = new ArrayList<>();
    private int vms;

    SessionPlayer(RecordedSession session, Timing timing, Dispatcher dispatcher) {
        this.session = session;
        this.timing = timing;
        this.dispatcher = dispatcher;
    }

    /** Plays it and returns where Sluice's course differs from the expected one. */
    List<Difference> play(Map<Integer, Course> expected) throws IOException {
        try {
            playSteps();
        } catch (WaitLimit.TimedOutException hung) {
            different("waits", "an end", hung.getMessage());
        } finally {
            for (var connection : connections.values()) {
                connection.drop();
            }
        }
        expected.forEach((number, course) -> {
            var got = courses.get(number);
            if (got != null && !got.equals(course)) {
                different("connection " + number, course.toString(), got.toString());
            }
        });
        connections
                .values()
                .forEach(each -> each.wrong().forEach(reported -> different("frame", "none such", reported)));
        return List.copyOf(differences);
    }

    private void playSteps() throws IOException {
        double at = session.steps().getFirst().atMs();
        for (var step : session.steps()) {
            pause(step.atMs() - at);
            at = Math.max(at, step.atMs());
            connection(step.connection()).play(step);
        }
        for (var entry : connections.entrySet()) {
            entry.getValue().finish();
            courses.putIfAbsent(entry.getKey(), entry.getValue().course());
        }
    }

    private PlayedConnection connection(int number) throws IOException {
        var known = connections.get(number);
        if (known != null) {
            return known;
        }
        boolean alone = true;
        for (var earlier : connections.entrySet()) {
            alone &= earlier.getValue().isDetached();
        }
        if (alone) {
            // The next attach of the same VM drops the course of the former session.
            for (var earlier : connections.entrySet()) {
                earlier.getValue().finish();
                courses.putIfAbsent(earlier.getKey(), earlier.getValue().course());
            }
        }
        vms += alone && vms > 0 ? 0 : 1;
        var vm = new VmId("neonvm", "recorded", session.name() + "-" + vms, "uid-" + session.name() + "-" + vms);
        var fresh = new PlayedConnection(session, number, dispatcher.wanted(vm));
        connections.put(number, fresh);
        return fresh;
    }

    /** Waits as long as the recording did, or the squeezed time, and replies to health checks meanwhile. */
    private void pause(double recordedMs) throws IOException {
        long until = System.nanoTime() + timing.pause(recordedMs).toNanos();
        do {
            for (var connection : connections.values()) {
                connection.idle();
            }
            LockSupport.parkNanos(Math.max(0, Math.min(LOOK_AGAIN_NANOS, until - System.nanoTime())));
        } while (System.nanoTime() < until);
    }

    private void different(String key, String expected, String got) {
        differences.add(new Difference(session.file(), session.name(), key, expected, got));
    }
}
