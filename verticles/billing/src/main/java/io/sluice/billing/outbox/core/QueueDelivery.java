package io.sluice.billing.outbox.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides for one queue when its open batch is closed and when its first batch is sent. Batches are sent one at a time
 * and in order. A failed batch is repeated after a pause, whether or not new events arrive.
 *
 * <p>The result of a request that timed out changes nothing, with one exception: only when the sink has replied may the
 * next batch be sent.
 */
public final class QueueDelivery {
    /** The label of a send without a reply in time. */
    public static final String TIMEOUT = "timeout";

    private final DeliverySchedule pace;
    private final RandomGenerator random;
    private final List<DeliveryAction> actions = new ArrayList<>();
    private DeliveryPhase phase = new DeliveryPhase.Idle();
    private long open;
    private long batches;
    private long requested;
    private int failures;
    private boolean stopping;
    private Instant lastActivity;
    private Optional<Instant> drainingSince = Optional.empty();

    /** Creates the delivery of a queue. */
    public QueueDelivery(DeliverySchedule pace, RandomGenerator random, Instant now) {
        this.pace = Objects.requireNonNull(pace, "pace");
        this.random = Objects.requireNonNull(random, "random");
        lastActivity = Objects.requireNonNull(now, "now");
    }

    /** Returns the actions that follow from an event, in order. */
    public List<DeliveryAction> on(DeliveryEvent event, Instant now) {
        actions.clear();
        switch (event) {
            case DeliveryEvent.Stocked(var inOpen, var closed) -> {
                open = inOpen;
                batches = closed;
            }
            case DeliveryEvent.Closed(var number) -> closed(number, now);
            case DeliveryEvent.Sent(var number) -> sent(number, now);
            case DeliveryEvent.NothingThere(var number) -> nothingThere(number);
            case DeliveryEvent.Failed(var number, var label) -> failed(number, label, now);
            case DeliveryEvent.Woken() -> woken(now);
            case DeliveryEvent.Stopping() -> stop();
        }
        if (phase instanceof DeliveryPhase.Idle) {
            goOn(now);
        }
        return List.copyOf(actions);
    }

    private boolean answers(long number) {
        return switch (phase) {
            case DeliveryPhase.Closing(var requesting) -> requesting == number;
            case DeliveryPhase.Sending(var requesting, var _) -> requesting == number;
            case DeliveryPhase.Overdue(var requesting) -> requesting == number;
            case DeliveryPhase.Idle(), DeliveryPhase.Pausing(var _), DeliveryPhase.Finished() -> false;
        };
    }

    private void closed(long number, Instant now) {
        if (answers(number)) {
            phase = new DeliveryPhase.Idle();
            lastActivity = now;
        }
    }

    private void sent(long number, Instant now) {
        if (answers(number)) {
            phase = new DeliveryPhase.Idle();
            lastActivity = now;
            failures = 0;
        }
    }

    /** The queue does not contain the batches that were reported; the next change reports its contents again. */
    private void nothingThere(long number) {
        if (answers(number)) {
            phase = new DeliveryPhase.Idle();
            batches = 0;
        }
    }

    private void failed(long number, String label, Instant now) {
        if (!answers(number)) {
            return;
        }
        boolean reported = phase instanceof DeliveryPhase.Overdue;
        lastActivity = now;
        drainingSince = Optional.empty();
        failures += reported ? 0 : 1;
        var pause = pace.pause(failures, random);
        if (!reported) {
            actions.add(new DeliveryAction.RecordFailed(label, pause));
        }
        if (stopping) {
            finish();
        } else {
            phase = new DeliveryPhase.Pausing(now.plus(pause));
            actions.add(new DeliveryAction.WakeAt(now.plus(pause)));
        }
    }

    private void woken(Instant now) {
        switch (phase) {
            case DeliveryPhase.Sending(var number, var deadline) -> weighDeadline(number, deadline, now);
            case DeliveryPhase.Pausing(var until) -> {
                if (now.isBefore(until)) {
                    actions.add(new DeliveryAction.WakeAt(until));
                } else {
                    phase = new DeliveryPhase.Idle();
                }
            }
            case DeliveryPhase.Idle(),
                    DeliveryPhase.Closing(var _),
                    DeliveryPhase.Overdue(var _),
                    DeliveryPhase.Finished() -> {}
        }
    }

    private void weighDeadline(long number, Instant deadline, Instant now) {
        if (now.isBefore(deadline)) {
            actions.add(new DeliveryAction.WakeAt(deadline));
            return;
        }
        phase = new DeliveryPhase.Overdue(number);
        failures++;
        drainingSince = Optional.empty();
        actions.add(new DeliveryAction.RecordFailed(TIMEOUT, pace.pause(failures, random)));
    }

    private void stop() {
        stopping = true;
        if (phase instanceof DeliveryPhase.Pausing) {
            phase = new DeliveryPhase.Idle();
        }
    }

    private void finish() {
        phase = new DeliveryPhase.Finished();
        actions.add(new DeliveryAction.Finish());
    }

    /** Decides what is next when nothing is under way. */
    private void goOn(Instant now) {
        var due = lastActivity.plus(pace.pushEvery());
        if (batches > 0) {
            send(now);
            return;
        }
        drainingSince.ifPresent(since -> actions.add(new DeliveryAction.RecordDrained(Duration.between(since, now))));
        drainingSince = Optional.empty();
        if (open > 0 && (stopping || !now.isBefore(due))) {
            requested++;
            phase = new DeliveryPhase.Closing(requested);
            actions.add(new DeliveryAction.CloseOpen(requested));
        } else if (stopping) {
            finish();
        } else {
            rest(due, now);
        }
    }

    private void send(Instant now) {
        requested++;
        var deadline = now.plus(pace.pushTimeout());
        phase = new DeliveryPhase.Sending(requested, deadline);
        drainingSince = drainingSince.or(() -> Optional.of(now));
        actions.add(new DeliveryAction.SendHead(requested));
        actions.add(new DeliveryAction.WakeAt(deadline));
    }

    private void rest(Instant due, Instant now) {
        var next = due;
        if (!now.isBefore(due)) {
            actions.add(new DeliveryAction.RecordNothingToSend());
            lastActivity = now;
            next = now.plus(pace.pushEvery());
        }
        actions.add(new DeliveryAction.WakeAt(next));
    }
}
