package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.OptionalInstants;
import io.sluice.agent.core.pace.PendingRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * The requests of one runner that are under way, and the actions it has decided on. At most one request of each kind.
 *
 * <p>Called several times at each event of every VM: plain loops here cost a fraction of what streams do.
 */
final class RunnerRequests {
    private final Duration deadline;
    private final Map<Long, Sent> underWay = new LinkedHashMap<>();
    private List<RunnerAction> actions = new ArrayList<>();
    private long numbers;

    private record Sent(PendingRequest request, Instant givenUpAt) {}

    RunnerRequests(Duration deadline) {
        this.deadline = deadline;
    }

    /** Sends a request; the number is one that no other request of this runner has. */
    void send(PendingRequest request, Instant now, LongFunction<RunnerAction> numbered) {
        numbers++;
        underWay.put(numbers, new Sent(request, now.plus(deadline)));
        actions.add(numbered.apply(numbers));
    }

    void act(RunnerAction action) {
        actions.add(action);
    }

    /** The actions decided since the last call. */
    List<RunnerAction> drain() {
        var drained = List.copyOf(actions);
        actions = new ArrayList<>();
        return drained;
    }

    /** Removes and returns the request of this number, if it is of this kind and still under way. */
    <P extends PendingRequest> Optional<P> take(long number, Class<P> kind) {
        var sent = underWay.get(number);
        if (sent == null || !kind.isInstance(sent.request())) {
            return Optional.empty();
        }
        underWay.remove(number);
        return Optional.of(kind.cast(sent.request()));
    }

    boolean any(Predicate<PendingRequest> condition) {
        for (var sent : underWay.values()) {
            if (condition.test(sent.request())) {
                return true;
            }
        }
        return false;
    }

    /** Gives up the requests that match: their replies will change nothing. */
    void forget(Predicate<PendingRequest> condition) {
        underWay.values().removeIf(sent -> condition.test(sent.request()));
    }

    /** The numbers of the requests that are past the deadline. */
    List<Long> overdue(Instant now) {
        var overdue = new ArrayList<Long>(0);
        underWay.forEach((number, sent) -> {
            if (!now.isBefore(sent.givenUpAt())) {
                overdue.add(number);
            }
        });
        return overdue;
    }

    Optional<Instant> nextDeadline() {
        Optional<Instant> next = Optional.empty();
        for (var sent : underWay.values()) {
            next = OptionalInstants.sooner(next, Optional.of(sent.givenUpAt()));
        }
        return next;
    }
}
