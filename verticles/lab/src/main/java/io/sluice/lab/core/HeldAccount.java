package io.sluice.lab.core;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Records how much CPU each VM of the fleet had, and when. Bills are compared with it. */
public final class HeldAccount {
    private static final int PIECES_MOST = 20_000;

    /** Objects record their changes in whole seconds. */
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<String, Deque<Piece>> pieces = new HashMap<>();

    /** The CPU from that instant until the next piece. */
    private record Piece(Instant from, long milliCpu) {}

    /**
     * Records the CPU of a VM from now on.
     *
     * @param milliCpu empty if it has none, or is gone
     */
    public void has(String vm, OptionalLong milliCpu, Instant now) {
        if (milliCpu.isEmpty() && !pieces.containsKey(vm)) {
            return;
        }
        var of = pieces.computeIfAbsent(vm, unknown -> new ArrayDeque<>());
        long next = milliCpu.orElse(0);
        if (of.isEmpty() || of.getLast().milliCpu() != next) {
            of.addLast(new Piece(now, next));
        }
        if (of.size() > PIECES_MOST) {
            of.removeFirst();
        }
    }

    /** Milli-CPU times nanoseconds that a VM had from one instant to another; empty if that is not stored any more. */
    public Optional<BigInteger> held(String vm, Instant from, Instant to) {
        var of = pieces.getOrDefault(vm, new ArrayDeque<>());
        if (of.isEmpty() || of.size() == PIECES_MOST && of.getFirst().from().isAfter(from)) {
            return Optional.empty();
        }
        var sum = BigInteger.ZERO;
        var before = new Piece(Instant.MIN, 0);
        for (var piece : of) {
            sum = sum.add(part(before, piece.from(), from, to));
            before = piece;
        }
        return Optional.of(sum.add(part(before, Instant.MAX, from, to)));
    }

    /** The names of all VMs that ever had CPU. */
    public Set<String> vms() {
        return Set.copyOf(pieces.keySet());
    }

    /**
     * By how much an account that has each change up to a second early or late may differ from this one, in milli-CPU
     * times nanoseconds.
     */
    public BigInteger tolerance(String vm, Instant from, Instant to) {
        long sum = 0;
        long before = 0;
        for (var piece : pieces.getOrDefault(vm, new ArrayDeque<>())) {
            if (!piece.from().isBefore(from.minus(SECOND)) && !piece.from().isAfter(to.plus(SECOND))) {
                sum += Math.abs(piece.milliCpu() - before);
            }
            before = piece.milliCpu();
        }
        return BigInteger.valueOf(sum).multiply(BigInteger.valueOf(SECOND.toNanos()));
    }

    private static BigInteger part(Piece piece, Instant until, Instant from, Instant to) {
        var first = piece.from().isAfter(from) ? piece.from() : from;
        var last = until.isBefore(to) ? until : to;
        return first.isBefore(last)
                ? BigInteger.valueOf(piece.milliCpu())
                        .multiply(
                                BigInteger.valueOf(Duration.between(first, last).toNanos()))
                : BigInteger.ZERO;
    }
}
