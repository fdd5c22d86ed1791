package io.sluice.pressure.core.migrations;

import io.sluice.messages.pressure.PressureDecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects what is to be done. Its numbers grow with time, so that it can be told which of two things came first. */
public final class ActionQueue {
    private final List<PressureAction> actions = new ArrayList<>();
    private final RepeatFilter repeats = new RepeatFilter();
    private Instant now = Instant.MIN;
    private long number;

    /** What is collected from here on is decided now. */
    public void at(Instant instant) {
        now = Objects.requireNonNull(instant, "instant");
    }

    /** When that is. */
    public Instant now() {
        return now;
    }

    /** The next number. */
    public long next() {
        number++;
        return number;
    }

    /** Has something asked; the number of the question. */
    long ask(MigrationKey migration, MigrationRequest question) {
        long asked = next();
        actions.add(new PressureAction.Send(asked, migration, question));
        return asked;
    }

    /** Has something done. */
    public void add(PressureAction action) {
        actions.add(Objects.requireNonNull(action, "action"));
    }

    /** Has everybody told. */
    public void tell(PressureDecision decision) {
        add(new PressureAction.Publish(decision));
    }

    /** Has everybody told, unless the same was told of the subject within the last minute. */
    public void tellNews(String subject, String gist, PressureDecision decision) {
        if (repeats.isNews(subject, gist, now)) {
            tell(decision);
        }
    }

    /** Has something counted. */
    public void note(PressureNotice notice) {
        add(new PressureAction.Note(notice));
    }

    /** Hands over what was collected, in order. */
    public List<PressureAction> drain() {
        var drained = List.copyOf(actions);
        actions.clear();
        return drained;
    }
}
