package io.sluice.codecs;

import io.sluice.bus.WireEnum;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.KindRuling.Verdict;
import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.messages.ledger.RefusalCause;

/** The number of every enum constant that travels. A number once given is never given to another constant. */
final class EnumNumbers {
    static final WireEnum<VmPhase> VM_PHASE = new WireEnum<>(VmPhase.class, phase -> switch (phase) {
        case PENDING -> 1;
        case RUNNING -> 2;
        case SCALING -> 3;
        case PRE_MIGRATING -> 4;
        case MIGRATING -> 5;
        case ENDED -> 6;
    });

    static final WireEnum<NotReadyCause> NOT_READY_CAUSE = new WireEnum<>(NotReadyCause.class, cause -> switch (cause) {
        case NODE_INCOMPLETE -> 1;
        case NODE_UNKNOWN -> 2;
    });

    static final WireEnum<RefusalCause> REFUSAL_CAUSE = new WireEnum<>(RefusalCause.class, cause -> switch (cause) {
        case MEMBER_UNKNOWN -> 1;
        case NOT_A_VM -> 2;
        case ZERO_COMPUTE_UNIT -> 3;
        case ZERO_TARGET -> 4;
        case OVERFLOW -> 5;
    });

    static final WireEnum<Verdict> VERDICT = new WireEnum<>(Verdict.class, verdict -> switch (verdict) {
        case NOTED -> 1;
        case GRANTED -> 2;
        case CUT_TO_ROOM -> 3;
        case CUT_TO_MAX -> 4;
        case MIGRATING -> 5;
    });

    static final WireEnum<Decision.Kind> DECISION_KIND = new WireEnum<>(Decision.Kind.class, kind -> switch (kind) {
        case SCALED_UP -> 1;
        case SCALED_DOWN -> 2;
        case DENIED -> 3;
        case VETOED -> 4;
        case CRIED -> 5;
        case SUPERSEDED -> 6;
    });

    private EnumNumbers() {}
}
