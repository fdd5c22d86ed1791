package io.sluice.shell.explain;

import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.shell.Quantities;
import java.util.ArrayList;
import java.util.stream.Collectors;

/** What would let a denied request be granted, in words. */
public final class GrantText {
    private static final int CHANGES_MAX = 4;
    private static final long MEBI = 1L << 20;

    private GrantText() {}

    /** One sentence: {@code it would be granted with 500m CPU more on node-a}; empty where nothing is known. */
    public static String sentence(NearestGrant nearest) {
        return sentence("it would be granted", nearest);
    }

    /** The same of a VM for which no node has room. */
    public static String target(NearestGrant nearest) {
        return nearest.sufficiency() == NearestGrant.Sufficiency.GRANTED
                ? ""
                : sentence("it could leave its node", nearest);
    }

    private static String sentence(String what, NearestGrant nearest) {
        return switch (nearest.sufficiency()) {
            case GRANTED -> what + " now";
            case ANY -> what + " with " + joined(nearest, ", or with ");
            case ALL -> what + " with all of these: " + joined(nearest, ", and ");
            case NONE -> "";
        };
    }

    private static String joined(NearestGrant nearest, String by) {
        var changes = nearest.changes();
        int more = changes.size() - CHANGES_MAX;
        var text = changes.stream().limit(CHANGES_MAX).map(GrantText::change).collect(Collectors.joining(by));
        return more > 0 ? text + ", and " + more + " more like that" : text;
    }

    /** A change, in words that follow "with". */
    public static String change(GrantChange change) {
        var node = change.node();
        var subject = change.subject();
        return switch (change.kind()) {
            case ROOM -> amount(change) + " more on " + node;
            case WATERMARK -> "a watermark of " + node + " that is higher by " + amount(change);
            case MAXIMUM -> "a maximum of the VM that is higher by " + amount(change);
            case NODE_READY -> node + " ready again";
            case LEDGER_COMPLETE -> "the ledger of " + node + " complete";
            case MIGRATION_ENDED -> "its migration over";
            case CLAIM_ENDED -> "no more room kept for " + subject + " on " + node;
            case HOLD_ENDED -> "the hold of " + subject + " on " + node + " over";
            case VM_LEFT -> "VM " + subject + " gone from " + node + ", which it is leaving";
            case VM_MOVED -> "VM " + subject + " moved away from " + node;
            case POD_ENDED -> "pod " + subject + " ended on " + node;
            case TAINT_TOLERATED -> "a toleration of the taint " + subject + " of " + node;
            case UNCORDONED -> node + " uncordoned";
            case NODE_ALLOWED -> "a node selector and affinity that allow " + node;
        };
    }

    private static String amount(GrantChange change) {
        var parts = new ArrayList<String>();
        if (change.room().milliCpu() > 0) {
            parts.add(change.room().milliCpu() + "m CPU");
        }
        if (change.room().memoryBytes() > 0) {
            parts.add(memory(change.room().memoryBytes()) + " memory");
        }
        change.fixed().byKind().forEach((kind, amount) -> parts.add(amount + " " + kind));
        return String.join(" and ", parts);
    }

    /** Rounded up to whole mebibytes, so that what it names is enough. */
    private static String memory(long bytes) {
        return Quantities.memoryText(Math.ceilDiv(bytes, MEBI) * MEBI);
    }
}
