package io.sluice.pressure.core;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.pressure.core.choosing.Engagement;
import io.sluice.pressure.core.choosing.KnownVm;
import io.sluice.pressure.core.facts.Vms;
import io.sluice.pressure.core.moving.Migrations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds marks whose migration nobody knows: left behind by a process that stopped, or put on too late. */
final class LoneMarks {
    private static final Duration ALONE_FOR = Duration.ofSeconds(30);

    private final Vms vms;
    private final Migrations migrations;
    private final Map<String, Map<String, Instant>> since = new HashMap<>();

    LoneMarks(Vms vms, Migrations migrations) {
        this.vms = vms;
        this.migrations = migrations;
    }

    /** The marks on a node that have been alone for long; each is told once, and then waited for anew. */
    List<MemberBooks> looked(NodeBooks books, Instant now) {
        var known = since.getOrDefault(books.node(), Map.of());
        var still = new HashMap<String, Instant>();
        var alone = new ArrayList<MemberBooks>();
        for (var member : books.members()) {
            if (alone(member)) {
                var first = known.getOrDefault(member.member(), now);
                if (now.isBefore(first.plus(ALONE_FOR))) {
                    still.put(member.member(), first);
                } else {
                    alone.add(member);
                }
            }
        }
        since.put(books.node(), still);
        if (still.isEmpty()) {
            since.remove(books.node());
        }
        return alone;
    }

    /** A look at all nodes found these. */
    void onlyThese(List<String> nodes) {
        since.keySet().retainAll(nodes);
    }

    /** The mark of a member that its VM has left goes with its pod. */
    private boolean alone(MemberBooks member) {
        return member.migrating()
                && migrations.engagement(member) == Engagement.FREE
                && vms.find(member.namespace(), member.vmName())
                        .filter(vm -> staysIn(vm, member))
                        .isPresent();
    }

    private static boolean staysIn(KnownVm vm, MemberBooks member) {
        return vm.pod().equals(member.member()) && !vm.inMigration();
    }
}
