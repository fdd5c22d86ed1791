package io.sluice.ledger;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.messages.ledger.KindRuling;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The ledger's metrics: the sums of each node as gauges, its answers and notices as counters. */
final class LedgerMeters {
    private static final double MILLI = 1000;
    private static final String TAG_NODE = "node";

    private final MeterRegistry registry;
    private final Map<String, Shown> nodes = new HashMap<>();

    LedgerMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    private record Shown(AtomicReference<NodeBooks> books, List<Meter> meters) {}

    /** These are the node's sums from now on. */
    void show(NodeBooks books) {
        var shown = nodes.get(books.node());
        if (shown == null) {
            nodes.put(books.node(), registered(books));
        } else {
            shown.books().set(books);
        }
    }

    /** Takes the node's gauges away; whether it had any. */
    boolean forget(String node) {
        var shown = nodes.remove(node);
        if (shown == null) {
            return false;
        }
        shown.meters().forEach(registry::remove);
        return true;
    }

    private Shown registered(NodeBooks books) {
        var shown = new Shown(new AtomicReference<>(books), new ArrayList<>());
        amount(shown, "total", NodeBooks::total);
        amount(shown, "watermark", NodeBooks::watermark);
        amount(shown, "reserved", NodeBooks::reserved);
        amount(shown, "committed", NodeBooks::committed);
        amount(shown, "held", NodeBooks::held);
        amount(shown, "buffer", NodeBooks::buffer);
        amount(shown, "capacity.pressure", NodeBooks::capacityPressure);
        amount(shown, "accounted.pressure", NodeBooks::accountedPressure);
        amount(shown, "migrating", NodeBooks::migrating);
        flag(shown, "complete", NodeBooks::complete);
        flag(shown, "pressed", NodeBooks::underPressure);
        flag(shown, "over", known -> known.reserved().exceeds(known.total()));
        return shown;
    }

    private void amount(Shown shown, String name, Function<NodeBooks, Resources> amount) {
        gauge(shown, name + ".cpu.cores", books -> amount.apply(books).milliCpu() / MILLI);
        gauge(shown, name + ".memory.bytes", books -> amount.apply(books).memoryBytes());
    }

    private void flag(Shown shown, String name, Function<NodeBooks, Boolean> flag) {
        gauge(shown, "node." + name, books -> flag.apply(books) ? 1 : 0);
    }

    private void gauge(Shown shown, String name, ToDoubleFunction<NodeBooks> value) {
        shown.meters()
                .add(Gauge.builder("sluice.ledger." + name, shown.books(), books -> value.applyAsDouble(books.get()))
                        .tag(TAG_NODE, shown.books().get().node())
                        .register(registry));
    }

    /** Counts an answer, and how each kind was ruled. */
    void answered(PermitReply reply) {
        registry.counter("sluice.ledger.answers", "answer", name(reply)).increment();
        if (reply instanceof PermitReply.Ruled ruled) {
            ruled("cpu", ruled.cpu());
            ruled("memory", ruled.memory());
        }
    }

    private void ruled(String kind, KindRuling ruling) {
        var verdict = ruling.verdict().name().toLowerCase(Locale.ROOT);
        registry.counter("sluice.ledger.permits", "kind", kind, "verdict", verdict)
                .increment();
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

    /** Counts a notice. */
    void noticed(LedgerNotice notice) {
        registry.counter("sluice.ledger.notices", "notice", name(notice)).increment();
    }

    private static String name(LedgerNotice notice) {
        return switch (notice) {
            case LedgerNotice.NodeCompleted _ -> "node_completed";
            case LedgerNotice.ForcedIn _ -> "forced_in";
            case LedgerNotice.ArrivedPastUs _ -> "arrived_past_us";
            case LedgerNotice.Overclaimed _ -> "overclaimed";
            case LedgerNotice.HoldExpired _ -> "hold_expired";
            case LedgerNotice.BeyondCounting _ -> "beyond_counting";
            case LedgerNotice.InvariantsBroken _ -> "invariants_broken";
        };
    }
}
