package io.sluice.pressure.core.actions;

import io.sluice.messages.pressure.PressureDecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects the actions of one event. Its numbers grow with time, so they order requests and replies. */
public final class ActionQueue {
    private final List<PressureAction> actions = new ArrayList<>();
    private final RepeatFilter repeats = new RepeatFilter();
    private Instant now = Instant.MIN;
    private long number;

    /** Sets the time of the following actions. */
    public void at(Instant instant) {
        now = Objects.requireNonNull(instant, "instant");
    }

    /** The present time. */
    public Instant now() {
        return now;
    }

    /** Draws the next number. */
    public long next() {
        number++;
        return number;
    }

    /** Adds a request and returns its number. */
    public long request(MigrationKey migration, MigrationRequest request) {
        long requested = next();
        actions.add(new PressureAction.Send(requested, migration, request));
        return requested;
    }

    /** Adds an action. */
    public void add(PressureAction action) {
        actions.add(Objects.requireNonNull(action, "action"));
    }

    /** Publishes a decision. */
    public void publish(PressureDecision decision) {
        add(new PressureAction.Publish(decision));
    }

    /** Publishes a decision, unless one with the same gist was published of the subject within the last minute. */
    public void publishNews(String subject, String gist, PressureDecision decision) {
        if (repeats.isNews(subject, gist, now)) {
            publish(decision);
        }
    }

    /** Adds a notice. */
    public void record(PressureNotice notice) {
        add(new PressureAction.Record(notice));
    }

    /** Returns the collected actions in order and removes them. */
    public List<PressureAction> drain() {
        var drained = List.copyOf(actions);
        actions.clear();
        return drained;
    }
}
