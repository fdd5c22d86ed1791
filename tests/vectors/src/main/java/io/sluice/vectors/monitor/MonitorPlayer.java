package io.sluice.vectors.monitor;

import io.sluice.vectors.Difference;
import io.sluice.vectors.KindPlayer;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Plays recorded monitors, many at once, against one dispatcher; a file is one recording. */
public final class MonitorPlayer implements KindPlayer {
    private static final int AT_ONCE_MAX = 32;

    private final Timing timing;
    private final Connections known = new Connections();

    /** Squeezes pauses, unless the system property {@code vectors.monitor.timing} is {@code kept}. */
    public MonitorPlayer() {
        this(Timing.configured());
    }

    MonitorPlayer(Timing timing) {
        this.timing = timing;
    }

    @Override
    public String kind() {
        return "monitor";
    }

    @Override
    public String unit() {
        return "sessions";
    }

    @Override
    public boolean plays(Recording recording) {
        return recording
                .first()
                .filter(line -> line.json().path("type").asText().equals("scenario"))
                .isPresent();
    }

    @Override
    public boolean isReference(String file) {
        return file.startsWith("timing.json");
    }

    @Override
    public void play(Recording recording, Tally tally) {
        play(List.of(recording), tally);
    }

    @Override
    public void play(List<Recording> recordings, Tally tally) {
        var sessions = recordings.stream().map(RecordedSession::of).toList();
        playSessions(sessions).forEach(tally::compared);
    }

    /** The differences of each recording, in order. What is left over at the end counts with the last one. */
    List<List<Difference>> playSessions(List<RecordedSession> sessions) {
        var slots = new Semaphore(AT_ONCE_MAX);
        try (var dispatcher = new Dispatcher(timing);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var played = sessions.stream()
                    .map(session -> threads.submit(() -> played(session, dispatcher, slots)))
                    .toList();
            var found = new ArrayList<List<Difference>>();
            for (var one : played) {
                found.add(result(one));
            }
            addLeftovers(sessions, dispatcher, found);
            return found;
        }
    }

    private List<Difference> played(RecordedSession session, Dispatcher dispatcher, Semaphore slots)
            throws IOException, InterruptedException {
        slots.acquire();
        try {
            var expected = new ExpectedMessages(session, timing);
            var differences = new ArrayList<Difference>();
            for (int number : session.connections()) {
                var reported = expected.of(number).toString();
                known.of(session.name(), number)
                        .filter(course -> !course.equals(reported))
                        .ifPresent(course -> differences.add(new Difference(
                                session.file(),
                                session.name(),
                                "connection " + number,
                                course,
                                "recorded: " + reported)));
            }
            differences.addAll(new SessionPlayer(session, timing, dispatcher).play(expected.all()));
            return differences;
        } finally {
            slots.release();
        }
    }

    private static void addLeftovers(
            List<RecordedSession> sessions, Dispatcher dispatcher, List<List<Difference>> found) {
        try {
            WaitLimit.await("nothing to be left", () -> dispatcher.left().isEmpty());
        } catch (WaitLimit.TimedOutException leaked) {
            var all = new ArrayList<>(found.removeLast());
            var last = sessions.getLast();
            all.add(new Difference(
                    last.file(), "all sessions", "left", "nothing", String.join(", ", dispatcher.left())));
            found.add(all);
        }
    }

    private static List<Difference> result(Future<List<Difference>> one) {
        try {
            return one.get();
        } catch (ExecutionException broken) {
            throw new IllegalStateException(broken.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
