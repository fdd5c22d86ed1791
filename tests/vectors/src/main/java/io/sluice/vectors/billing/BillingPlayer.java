package io.sluice.vectors.billing;

import io.sluice.vectors.KindPlayer;
import io.sluice.vectors.MalformedRecordingException;
import io.sluice.vectors.Recording;
import io.sluice.vectors.Tally;
import java.util.Optional;
import java.util.Set;

/** Plays recordings of billing: histories of single steps, and whole runs with their own timers. */
public final class BillingPlayer implements KindPlayer {
    private static final Set<String> OPS = Set.of("vm", "gone", "watch", "start", "restart", "collect", "push");

    @Override
    public String kind() {
        return "billing";
    }

    @Override
    public String unit() {
        return "pushes";
    }

    @Override
    public boolean plays(Recording recording) {
        return recording.first().flatMap(BillingPlayer::shape).isPresent();
    }

    @Override
    public void play(Recording recording, Tally tally) {
        var shape = recording
                .first()
                .flatMap(BillingPlayer::shape)
                .orElseThrow(() -> new MalformedRecordingException(recording.path() + ": not a recording of billing"));
        switch (shape) {
            case HISTORY -> {
                var player = new HistoryPlayer(tally);
                recording.forEach(player::play);
                player.end();
            }
            case SCHEDULE -> recording.forEach(line -> SchedulePlayer.play(line, tally));
        }
    }

    private enum Shape {
        HISTORY,
        SCHEDULE
    }

    /** The shape of a file. A ledger's history has steps too, and begins with the one that creates its node. */
    private static Optional<Shape> shape(Recording.Line line) {
        if (line.json().has("collectEverySeconds") && line.json().has("accumulateEverySeconds")) {
            return Optional.of(Shape.SCHEDULE);
        }
        boolean step =
                line.json().has("h") && OPS.contains(line.json().path("op").asText());
        return step && !line.json().path("node").isObject() ? Optional.of(Shape.HISTORY) : Optional.empty();
    }
}
