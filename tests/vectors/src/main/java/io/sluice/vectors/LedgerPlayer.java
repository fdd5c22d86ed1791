package io.sluice.vectors;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.shell.Portions;
import java.time.Duration;

/** Plays the ledger's recordings; the first line of a file shows which of their shapes it has. */
final class LedgerPlayer implements KindPlayer {
    @Override
    public String kind() {
        return "ledger";
    }

    @Override
    public boolean plays(Recording recording) {
        return recording.first().filter(line -> shape(line) != Shape.OTHER).isPresent();
    }

    @Override
    public void play(Recording recording, Tally tally) {
        switch (shape(recording.first().orElseThrow())) {
            case HISTORY -> recording.forEach(new HistoryPlayer(tally)::play);
            case OVERCOMMIT -> recording.forEach(new OvercommitPlayer(tally)::play);
            case WATERMARK -> recording.forEach(line -> watermark(line, tally));
            case CHOOSE -> recording.forEach(new ChoosePlayer(tally)::play);
            case OTHER -> tally.unsupported(recording.name());
        }
    }

    private enum Shape {
        HISTORY,
        OVERCOMMIT,
        WATERMARK,
        CHOOSE,
        OTHER
    }

    private static Shape shape(Recording.Line line) {
        if (line.has("op")) {
            return line.json().path("node").has("committed") ? Shape.OVERCOMMIT : Shape.HISTORY;
        }
        if (line.has("members") && line.has("chosen")) {
            return Shape.CHOOSE;
        }
        boolean table = line.has("fraction") && line.has("watermark") && !line.has("members");
        return table ? Shape.WATERMARK : Shape.OTHER;
    }

    private static void watermark(Recording.Line line, Tally tally) {
        var rules = new LedgerRules(
                Duration.ofSeconds(10),
                line.number("fraction"),
                Portions.NOTHING,
                LastPermitTrust.ALWAYS,
                InvariantChecks.WHOLE);
        var comparison = new Comparison(line);
        comparison.amount("watermark", rules.watermark(line.amount("total")));
        tally.compared(comparison.differences());
    }
}
