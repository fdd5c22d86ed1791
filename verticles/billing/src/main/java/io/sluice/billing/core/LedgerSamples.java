package io.sluice.billing.core;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * What the ledger held for VMs lately, in milli-CPU. It is an upper bound of what they may have used, against which
 * bills are checked.
 *
 * <p>Between two samples the maximum of these two and the one before them counts. The ledger's reply is newer than the
 * request, and the ledger may receive a decrease before this process observes it.
 */
public final class LedgerSamples {
    private final Duration keep;
    private final Map<String, Held> helds = new HashMap<>();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> last = Optional.empty();

    /** @param keep how far back {@link #held} may be called */
    public LedgerSamples(Duration keep) {
        this.keep = keep;
    }

    /** A size from an instant on, up to the next piece. */
    private record Piece(Instant from, long milliCpu) {}

    /** The pieces of one VM, and its last two samples. */
    private static final class Held {
        private final Deque<Piece> pieces = new ArrayDeque<>();
        private long before;
        private long now;

        void add(Optional<Instant> look, long next) {
            long most = Math.max(Math.max(before, now), next);
            long counted = pieces.isEmpty() ? 0 : pieces.getLast().milliCpu();
            look.filter(any -> most != counted).ifPresent(from -> pieces.addLast(new Piece(from, most)));
            before = now;
            now = next;
        }

        void forget(Instant oldest) {
            while (pieces.size() > 1 && !secondOf(pieces).from().isAfter(oldest)) {
                pieces.removeFirst();
            }
        }

        boolean isNothing() {
            return before == 0 && now == 0 && pieces.stream().allMatch(piece -> piece.milliCpu() == 0);
        }
    }

    /**
     * Adds a sample; ignores one that is not later than the last.
     *
     * @param at when the sample was requested
     * @param held milli-CPU on all nodes for each VM, by {@code namespace/name}; VMs that are missing have none
     */
    public void add(Instant at, Map<String, Long> held) {
        if (last.filter(before -> !at.isAfter(before)).isPresent()) {
            return;
        }
        held.keySet().forEach(vm -> helds.computeIfAbsent(vm, unseen -> new Held()));
        var oldest = at.minus(keep);
        helds.forEach((vm, of) -> {
            of.add(last, held.getOrDefault(vm, 0L));
            of.forget(oldest);
        });
        helds.values().removeIf(Held::isNothing);
        since = Optional.of(later(since.orElse(at), oldest));
        last = Optional.of(at);
    }

    /**
     * Returns milli-CPU times nanoseconds held from one instant to another; empty unless samples cover the whole time.
     */
    public Optional<BigInteger> held(String vm, Instant from, Instant to) {
        boolean known = since.filter(first -> !first.isAfter(from)).isPresent()
                && last.filter(look -> !look.isBefore(to)).isPresent();
        return known
                ? Optional.of(sum(helds.getOrDefault(vm, new Held()).pieces.iterator(), from, to))
                : Optional.empty();
    }

    private static BigInteger sum(Iterator<Piece> pieces, Instant from, Instant to) {
        var sum = BigInteger.ZERO;
        var piece = new Piece(from, 0);
        while (pieces.hasNext()) {
            var next = pieces.next();
            sum = sum.add(part(piece, next.from(), from, to));
            piece = next;
        }
        return sum.add(part(piece, to, from, to));
    }

    private static BigInteger part(Piece piece, Instant until, Instant from, Instant to) {
        var first = later(piece.from(), from);
        var end = earlier(until, to);
        return first.isBefore(end)
                ? BigInteger.valueOf(piece.milliCpu())
                        .multiply(
                                BigInteger.valueOf(Duration.between(first, end).toNanos()))
                : BigInteger.ZERO;
    }

    private static Piece secondOf(Deque<Piece> pieces) {
        var all = pieces.iterator();
        all.next();
        return all.next();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
