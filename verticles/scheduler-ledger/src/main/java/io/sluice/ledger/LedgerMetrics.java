package io.sluice.ledger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerUnavailableException;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The ledger's metrics: the sums of each node as gauges, its replies and notices as counters. The sums that the
 * reference's scheduler exposes are also registered under the reference's names.
 */
final class LedgerMetrics {
    /**
     * As many nodes as Kubernetes supports in a cluster have gauges, some 30 each; machines that register may be more.
     */
    static final int NODES_MAX = 5_000;

    private static final double MILLI = 1000;
    private static final String OURS = "sluice.ledger.";
    private static final String KNOWN_CPU = "autoscaling_plugin_node_cpu_resources_current";
    private static final String KNOWN_MEMORY = "autoscaling_plugin_node_mem_resources_current";

    /** A name of the reference: a pod reached a node without a hold and without room. */
    private static final String KNOWN_UNRESERVED = "autoscaling_plugin_reserve_should_deny_total";

    private static final String LOST = "lost";

    /** The words of the exceptions that say why the ledger is unavailable, and the one of all others. */
    private static final List<String> CAUSES = List.of(
            "no_majority", "copy_missing", "disagreement", "too_many", "not_owner", "crowded", "no_lease", LOST);

    private static final List<String> NOTICES = List.of(
            "node_completed",
            "state_lost",
            "forced_in",
            "vm_found",
            "pod_found",
            "pod_found_over",
            "landed_unheld",
            "overclaimed",
            "hold_expired",
            "beyond_counting",
            "invariants_broken");

    private final MeterRegistry registry;
    private final Map<String, Shown> nodes = new HashMap<>();
    private int withGauges;

    /** Registers at zero the counters that alerts watch. The first event of a new series would show in no rate. */
    LedgerMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder(OURS + "nodes.without.gauges", this, all -> all.nodes.size() - all.withGauges)
                .description("Nodes that have no gauges of their own, as there are too many.")
                .register(registry);
        NOTICES.forEach(this::notices);
        CAUSES.forEach(this::unanswered);
        for (var kind : List.of("cpu", "memory")) {
            for (var outcome : KindDecision.Rule.values()) {
                permits(kind, outcome);
            }
        }
    }

    private record Shown(AtomicReference<NodeState> state, Optional<Counter> unreserved, List<Meter> meters) {
        boolean hasGauges() {
            return unreserved.isPresent();
        }
    }

    /** Sets the present state of the node. Its gauges are computed when they are read. */
    void show(NodeState state) {
        var shown = nodes.get(state.node());
        if (shown == null || !shown.hasGauges() && withGauges < NODES_MAX) {
            nodes.put(state.node(), registered(state));
        } else {
            shown.state().set(state);
        }
    }

    /** Removes the node's gauges, if it has any. */
    void forget(String node) {
        var shown = nodes.remove(node);
        if (shown != null && shown.hasGauges()) {
            shown.meters().forEach(registry::remove);
            withGauges--;
        }
    }

    private Shown registered(NodeState first) {
        if (withGauges == NODES_MAX) {
            return new Shown(new AtomicReference<>(first), Optional.empty(), List.of());
        }
        withGauges++;
        var unreserved = Counter.builder(KNOWN_UNRESERVED)
                .description("Pods that were bound without a hold to a node without room for them.")
                .tag("node", first.node())
                .register(registry);
        var shown =
                new Shown(new AtomicReference<>(first), Optional.of(unreserved), new ArrayList<>(List.of(unreserved)));
        amount(shown, "total", "What the node can give.", state -> state.size().total());
        amount(
                shown,
                "watermark",
                "Above this, VMs should leave the node.",
                state -> state.size().watermark());
        amount(
                shown,
                "reserved",
                "What is reserved on the node, after overcommit.",
                state -> state.sums().reserved());
        amount(
                shown,
                "committed",
                "What is reserved on the node, before overcommit.",
                state -> state.sums().committed());
        amount(
                shown,
                "held",
                "The part of reserved that is held for pods to be bound.",
                state -> state.sums().held());
        amount(
                shown,
                "buffer",
                "The part of reserved that VMs may be using although nothing has reported it yet.",
                state -> state.sums().buffer());
        amount(
                shown,
                "capacity.pressure",
                "What VMs requested and were refused.",
                state -> state.sums().capacityPressure());
        amount(
                shown,
                "accounted.pressure",
                "What the migrations under way will take away from the node.",
                state -> state.sums().accountedPressure());
        amount(
                shown,
                "migrating",
                "The part of reserved that migrates away.",
                state -> state.sums().migrating());
        flag(
                shown,
                "complete",
                "Whether a full list has completed the node; it grants nothing before.",
                state -> state.fullList().complete());
        flag(shown, "pressed", "Whether VMs should leave the node now.", LedgerView::isPressed);
        flag(
                shown,
                "ready",
                "Whether the node is ready; while it is not, new holds are refused.",
                LedgerMetrics::isReady);
        flag(shown, "over", "Whether more is reserved than the node can give.", LedgerMetrics::isOver);
        known(shown, "Total", state -> state.size().total());
        known(shown, "Reserved", state -> state.sums().reserved());
        known(shown, "Committed", state -> state.sums().committed());
        known(shown, "Migrating", state -> state.sums().migrating());
        known(shown, "Watermark", state -> state.size().watermark());
        return shown;
    }

    private static boolean isReady(NodeState state) {
        return state.size().readiness() == NodeReadiness.READY;
    }

    private static boolean isOver(NodeState state) {
        return state.sums().reserved().exceeds(state.size().total());
    }

    private void amount(Shown shown, String name, String help, Function<NodeState, Resources> amount) {
        gauge(shown, OURS + name + ".cpu.cores", help, Tags.empty(), cores(amount));
        gauge(shown, OURS + name + ".memory.bytes", help, Tags.empty(), bytes(amount));
    }

    private void known(Shown shown, String field, Function<NodeState, Resources> amount) {
        var tags = Tags.of("field", field);
        gauge(shown, KNOWN_CPU, "A sum over the node's reservations, in CPU cores.", tags, cores(amount));
        gauge(shown, KNOWN_MEMORY, "A sum over the node's reservations, in bytes of memory.", tags, bytes(amount));
    }

    private static ToDoubleFunction<NodeState> cores(Function<NodeState, Resources> amount) {
        return state -> amount.apply(state).milliCpu() / MILLI;
    }

    private static ToDoubleFunction<NodeState> bytes(Function<NodeState, Resources> amount) {
        return state -> amount.apply(state).memoryBytes();
    }

    private void flag(Shown shown, String name, String help, Predicate<NodeState> flag) {
        gauge(shown, OURS + "node." + name, help, Tags.empty(), state -> flag.test(state) ? 1 : 0);
    }

    private void gauge(Shown shown, String name, String help, Tags tags, ToDoubleFunction<NodeState> value) {
        shown.meters()
                .add(Gauge.builder(name, shown.state(), state -> value.applyAsDouble(state.get()))
                        .description(help)
                        .tags(tags.and("node", shown.state().get().node()))
                        .register(registry));
    }

    /** Counts a request without a reply. */
    void unanswered(Throwable lost) {
        var cause = lost instanceof LedgerUnavailableException closed ? closed.word() : LOST;
        unanswered(cause).increment();
    }

    private Counter unanswered(String cause) {
        return counter("unanswered", "Requests without a reply, by cause.", "cause", cause);
    }

    /** Counts a reply and the decision for each kind. */
    void answered(PermitReply reply) {
        count("replies", "Replies to permit requests.", "reply", name(reply));
        if (reply instanceof PermitReply.Ruled ruled) {
            ruled("cpu", ruled.cpu());
            ruled("memory", ruled.memory());
        }
    }

    private void ruled(String kind, KindDecision ruling) {
        permits(kind, ruling.outcome()).increment();
    }

    private Counter permits(String kind, KindDecision.Rule outcome) {
        var word = outcome.name().toLowerCase(Locale.ROOT);
        return counter("permits", "Decisions on permit requests, by kind of resource.", "kind", kind, "outcome", word);
    }

    private static String name(PermitReply reply) {
        return switch (reply) {
            case PermitReply.Ruled _ -> "ruled";
            case PermitReply.Late _ -> "late";
            case PermitReply.Superseded _ -> "superseded";
            case PermitReply.OpenAgain _ -> "open_again";
            case PermitReply.SeqReused _ -> "seq_reused";
            case PermitReply.NotReady _ -> "not_ready";
            case PermitReply.Refused _ -> "refused";
        };
    }

    /** Counts a reply to a hold or release. */
    void answered(HoldReply reply) {
        count("holds", "Replies to holds and releases.", "reply", name(reply));
    }

    private static String name(HoldReply reply) {
        return switch (reply) {
            case HoldReply.Held _ -> "held";
            case HoldReply.Bound _ -> "bound";
            case HoldReply.Released _ -> "released";
            case HoldReply.NoSuchHold _ -> "no_such_hold";
            case HoldReply.NoRoom _ -> "no_room";
            case HoldReply.NoDevice _ -> "no_device";
            case HoldReply.RoomKept _ -> "room_kept";
            case HoldReply.NotReady _ -> "not_ready";
            case HoldReply.StateReplaced _ -> "state_replaced";
            case HoldReply.NodeNotReady _ -> "node_not_ready";
            case HoldReply.Gone _ -> "gone";
            case HoldReply.AttemptOver _ -> "attempt_over";
            case HoldReply.OfAnother _ -> "of_another";
            case HoldReply.Overflow _ -> "overflow";
        };
    }

    /** Counts a reply about room that is to be kept. */
    void answered(KeepReply reply) {
        count("keeps", "Replies to requests that room is kept for a pod that waits.", "reply", name(reply));
    }

    private static String name(KeepReply reply) {
        return switch (reply) {
            case KeepReply.Kept _ -> "kept";
            case KeepReply.Ended _ -> "ended";
            case KeepReply.OfAnother _ -> "of_another";
            case KeepReply.TooLarge _ -> "too_large";
            case KeepReply.NotReady _ -> "not_ready";
        };
    }

    /** Counts a reply to a mark or its removal. */
    void answered(MarkReply reply) {
        count("marks", "Replies to requests for migration marks and their removal.", "reply", name(reply));
    }

    private static String name(MarkReply reply) {
        return switch (reply) {
            case MarkReply.Marked _ -> "marked";
            case MarkReply.Unmarked _ -> "unmarked";
            case MarkReply.NotPressed _ -> "not_pressed";
            case MarkReply.Outgrown _ -> "outgrown";
            case MarkReply.Refused _ -> "refused";
        };
    }

    /** Counts a notice of a node. */
    void noticed(String node, LedgerNotice notice) {
        notices(name(notice)).increment();
        var shown = nodes.get(node);
        if (shown != null && notice instanceof LedgerNotice.PodFound pod && pod.over()) {
            shown.unreserved().ifPresent(Counter::increment);
        }
    }

    private Counter notices(String notice) {
        return counter("notices", "Findings of commands besides their replies.", "notice", notice);
    }

    private static String name(LedgerNotice notice) {
        return switch (notice) {
            case LedgerNotice.NodeCompleted _ -> "node_completed";
            case LedgerNotice.StateGone _ -> "state_lost";
            case LedgerNotice.ForcedIn _ -> "forced_in";
            case LedgerNotice.VmFound _ -> "vm_found";
            case LedgerNotice.PodFound pod -> pod.over() ? "pod_found_over" : "pod_found";
            case LedgerNotice.LandedUnheld _ -> "landed_unheld";
            case LedgerNotice.Overclaimed _ -> "overclaimed";
            case LedgerNotice.HoldExpired _ -> "hold_expired";
            case LedgerNotice.BeyondCounting _ -> "beyond_counting";
            case LedgerNotice.InvariantsBroken _ -> "invariants_broken";
        };
    }

    private void count(String name, String help, String... tags) {
        counter(name, help, tags).increment();
    }

    private Counter counter(String name, String help, String... tags) {
        return Counter.builder(OURS + name).description(help).tags(tags).register(registry);
    }
}
