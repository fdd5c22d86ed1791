package io.sluice.shell.explain;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One entry of an explanation: a decision, equal decisions in a row, or a state, with its cause and numbers. The log,
 * {@code why}, the console and the demo show it.
 *
 * @param since when it was decided first, or when the state began
 * @param at when it was decided last; for a state, the same as {@code since}
 * @param until when the state ended; empty for a decision, and for a state that continues
 * @param kind a decision's kind, or what a VM waited for, or a node's state
 * @param vm which VM, as {@code namespace/name}; empty if it is about a node alone
 * @param node where the VM runs, or the node that it was to leave; empty if none is known
 * @param toNode the node that a VM was to go to; empty for all else
 * @param from the size before the first decision; empty if it is not about a size
 * @param to the size after the last decision, or what it requested
 * @param count how many decisions it stands for; 1 for a state
 * @param cause why, in words, with the numbers; of the last decision
 */
public record Explanation(
        Instant since,
        Instant at,
        Optional<Instant> until,
        String kind,
        String vm,
        String node,
        String toNode,
        Optional<Resources> from,
        Optional<Resources> to,
        int count,
        String cause) {
    /** A decision that follows later than this after the one before begins an entry of its own. */
    public static final Duration ROW_GAP = Duration.ofMinutes(1);

    private static final int CAUSE_CHARACTERS_MAX = 400;
    private static final Set<String> STEPPED = Set.of(Decision.Kind.SCALED_UP.name(), Decision.Kind.SCALED_DOWN.name());

    public Explanation {
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(until, "until");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(toNode, "toNode");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        cause = cause.length() <= CAUSE_CHARACTERS_MAX ? cause : cause.substring(0, CAUSE_CHARACTERS_MAX - 1) + "…";
    }

    /** Explains a decision on a VM's size, received at that time. */
    public static Explanation of(Decision decision, Instant at) {
        var reaction = decision.reaction()
                .map(took -> "; reaction " + took.toMillis() + " ms")
                .orElse("");
        return new Explanation(
                at,
                at,
                Optional.empty(),
                decision.kind().name(),
                decision.vm().label(),
                decision.node(),
                "",
                Optional.of(decision.from()),
                Optional.of(decision.to()),
                decision.count(),
                decision.reason() + reaction);
    }

    /** Explains a decision on which VM leaves a node, received at that time. */
    public static Explanation of(PressureDecision decision, Instant at) {
        return new Explanation(
                at,
                at,
                Optional.empty(),
                decision.kind().name(),
                decision.vm().map(VmId::label).orElse(""),
                decision.node(),
                decision.to(),
                Optional.empty(),
                Optional.empty(),
                1,
                decision.reason());
    }

    /** Explains a decision on which node a pod goes to, received at that time. */
    public static Explanation of(PlacementDecision decision, Instant at) {
        return new Explanation(
                at,
                at,
                Optional.empty(),
                decision.kind().name(),
                "",
                decision.node(),
                "",
                Optional.empty(),
                Optional.empty(),
                1,
                decision.reason());
    }

    /** Explains a state of a VM or node that ended, or that continues; it has no size of its own. */
    public static Explanation ofState(
            Instant since, Optional<Instant> until, String kind, String vm, String node, String cause) {
        return new Explanation(since, since, until, kind, vm, node, "", Optional.empty(), Optional.empty(), 1, cause);
    }

    /** The same with a name in the place of the VM's, where entries of different kinds are listed. */
    public Explanation about(String name) {
        return new Explanation(since, at, until, kind, name, node, toNode, from, to, count, cause);
    }

    /** The same with a size, and what was requested. */
    public Explanation withSizes(Resources size, Optional<Resources> requested) {
        return new Explanation(since, at, until, kind, vm, node, toNode, Optional.of(size), requested, count, cause);
    }

    /**
     * Joins this entry and the next decision of the same VM or node: the next step of a VM that is scaled further the
     * same way, or the same decision again.
     *
     * @return empty if the next one is another decision, or comes much later
     */
    public Optional<Explanation> joined(Explanation next) {
        if (!isSameDecision(next) || !lastsUntil(next.since())) {
            return Optional.empty();
        }
        return Optional.of(new Explanation(
                since, next.at, until, kind, vm, node, toNode, from, next.to, count + next.count, next.cause));
    }

    /** Returns whether both are the same decisions in a row, as they were known at different times. */
    public boolean isSameRow(Explanation other) {
        return since.equals(other.since) && kind.equals(other.kind) && vm.equals(other.vm) && node.equals(other.node);
    }

    /** Returns whether a decision of that time, if it is the same, continues this one. */
    public boolean lastsUntil(Instant time) {
        return !time.isAfter(at.plus(ROW_GAP));
    }

    private boolean isSameDecision(Explanation next) {
        return kind.equals(next.kind)
                && vm.equals(next.vm)
                && node.equals(next.node)
                && toNode.equals(next.toNode)
                && until.isEmpty()
                && next.until.isEmpty()
                && (hasSteps() ? next.from.equals(to) : next.from.equals(from) && hasSameCause(next));
    }

    private boolean hasSteps() {
        return STEPPED.contains(kind);
    }

    /** Causes of decisions with sizes have numbers that differ each time. */
    private boolean hasSameCause(Explanation next) {
        return !from.equals(to) || cause.equals(next.cause);
    }

    /** Returns whether this state lasted at that time, if it has an end. */
    public boolean held(Instant time) {
        return !since.isAfter(time) && until.filter(end -> end.isAfter(time)).isPresent();
    }

    /** The kind in words, such as {@code scaled up}. */
    public String word() {
        return kind.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** How many decisions it stands for, such as {@code 14 times in 6s} or {@code in 11 steps}; empty for one. */
    public String repeats() {
        if (count == 1) {
            return "";
        }
        var span = Duration.between(since, at).truncatedTo(ChronoUnit.SECONDS);
        var times = hasSteps() ? "in " + count + " steps" : count + " times";
        return span.isZero() ? times : times + (hasSteps() ? " over " : " in ") + Durations.text(span);
    }

    /** The size before and after, such as {@code 4/16Gi -> 1250m/5Gi}, or the nodes; empty if it has neither. */
    public String change() {
        if (from.isEmpty() || to.isEmpty()) {
            return toNode.isEmpty() ? node : node + " -> " + toNode;
        }
        return Quantities.text(from.get()) + " -> " + Quantities.text(to.get());
    }
}
