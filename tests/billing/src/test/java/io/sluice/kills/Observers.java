package io.sluice.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What several processes received of one history, by their journals. It decides which use none of them could know, and
 * which they could know late only. Nothing of that is a fixed time, so it holds however busy the machine is.
 */
final class Observers {
    private final List<ObservedHistory> each;
    private final List<Span> looked;
    private final List<Span> unlooked;
    private final long stoppedAt;

    /** @param stoppedAt when all processes were stopped; one of them starts again afterwards */
    Observers(List<ObservedHistory> each, long stoppedAt) {
        this.each = List.copyOf(each);
        this.stoppedAt = stoppedAt;
        looked = Span.merged(
                each.stream().flatMap(process -> process.looked().stream()).toList());
        var looks = new ArrayList<>(
                each.stream().flatMap(process -> process.unlooked().stream()).toList());
        // A leader that stops alone bills up to an instant after its last look.
        looks.stream()
                .mapToLong(Span::from)
                .filter(look -> look < stoppedAt)
                .max()
                .ifPresent(last -> looks.add(new Span(last, stoppedAt)));
        unlooked = Span.merged(looks);
    }

    long stoppedAt() {
        return stoppedAt;
    }

    /** The greatest difference between a billing clock and the shared clock. */
    long mostAhead() {
        return each.stream().mapToLong(ObservedHistory::mostAhead).max().orElse(0);
    }

    /** Whether one of them received the history at some instant of that time. */
    boolean lookedDuring(Span time) {
        return time.without(looked).stream().mapToLong(Span::length).sum() < time.length();
    }

    /** When use of the VM had begun or ended, and one of them had not received that yet. */
    List<Span> late(String uid) {
        return each.stream().flatMap(process -> process.lateEnds(uid).stream()).toList();
    }

    /** The same with the times after a look: a change in such a time is not reported to a process that ends then. */
    List<Span> lateOrUnlooked(String uid) {
        return Stream.concat(late(uid).stream(), unlooked.stream()).toList();
    }
}
