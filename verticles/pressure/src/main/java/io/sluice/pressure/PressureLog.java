package io.sluice.pressure;

import io.sluice.messages.pressure.PressureDecision;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each decision, and the notices that an operator should read. */
final class PressureLog {
    private static final Logger LOG = LoggerFactory.getLogger(PressureLog.class);

    private final Set<String> fullOf = new HashSet<>();

    void decided(PressureDecision decision) {
        LOG.atInfo()
                .addKeyValue(LogKeys.KIND, decision.kind())
                .addKeyValue(LogKeys.NODE, decision.node())
                .addKeyValue(LogKeys.VM, decision.vm().map(VmId::label).orElse(""))
                .addKeyValue(LogKeys.TARGET, decision.to())
                .addKeyValue(LogKeys.REASON, decision.reason())
                .log(sentence(decision.kind()));
    }

    private static String sentence(PressureDecision.Kind kind) {
        return switch (kind) {
            case MOVING -> "A VM is leaving its node.";
            case MOVED -> "A VM was migrated.";
            case ADOPTED -> "A migration that this process did not begin is followed.";
            case NOT_MOVED -> "A VM was not migrated.";
            case NONE_MOVES -> "A node is under pressure and no VM leaves it.";
        };
    }

    void noticed(PressureNotice notice) {
        switch (notice) {
            case PressureNotice.NoAnswer(var vm, var request, var error) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.VM, vm)
                        .addKeyValue(LogKeys.KIND, request.word())
                        .addKeyValue(LogKeys.ERROR, error)
                        .log("A request for a migration got no reply; it is repeated.");
            case PressureNotice.OrphanMarkFound(var node, var namespace, var vmName) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.VM, namespace + "/" + vmName)
                        .log("A VM has a migration mark without a migration; the mark is removed.");
            case PressureNotice.TooMany(var what, var most) -> full(what, most);
            case PressureNotice.Ended _,
                    PressureNotice.NoneMoves _,
                    PressureNotice.HoldRefused _,
                    PressureNotice.MarkRefused _ -> LOG.atDebug().log(notice::toString);
        }
    }

    private void full(String what, int most) {
        if (fullOf.add(what)) {
            LOG.atError()
                    .addKeyValue(LogKeys.KIND, what)
                    .addKeyValue(LogKeys.COUNT, most)
                    .log("There are more than the limit; VMs among the rest are not migrated.");
        }
    }
}
