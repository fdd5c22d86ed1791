package io.sluice.pressure;

import io.sluice.messages.pressure.PressureDecision;
import io.sluice.pressure.core.migrations.PressureNotice;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each decision as a line of its own, and what a person should know beside them. */
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
            case MOVED -> "A VM was moved.";
            case ADOPTED -> "A migration that was not begun here is watched.";
            case NOT_MOVED -> "A VM was not moved.";
            case NOBODY_MOVES -> "A node is under pressure and no VM leaves it.";
        };
    }

    void noticed(PressureNotice notice) {
        switch (notice) {
            case PressureNotice.NoAnswer(var vm, var question, var error) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.VM, vm)
                        .addKeyValue(LogKeys.KIND, question.word())
                        .addKeyValue(LogKeys.ERROR, error)
                        .log("A question of a migration was not answered; it is asked again.");
            case PressureNotice.MarkFoundAlone(var node, var namespace, var vmName) ->
                LOG.atWarn()
                        .addKeyValue(LogKeys.NODE, node)
                        .addKeyValue(LogKeys.VM, namespace + "/" + vmName)
                        .log("A VM was marked as moving and no migration of it is known; the mark is taken back.");
            case PressureNotice.TooMany(var what, var most) -> full(what, most);
            case PressureNotice.Ended _,
                    PressureNotice.NobodyMoves _,
                    PressureNotice.HoldRefused _,
                    PressureNotice.MarkRefused _ -> LOG.atDebug().log(notice::toString);
        }
    }

    private void full(String what, int most) {
        if (fullOf.add(what)) {
            LOG.atError()
                    .addKeyValue(LogKeys.KIND, what)
                    .addKeyValue(LogKeys.COUNT, most)
                    .log("There are more than are kept; VMs among the rest are not moved.");
        }
    }
}
