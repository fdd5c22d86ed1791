package io.sluice.gateway.core;

import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.math.BigDecimal;
import java.time.Duration;

/** Writes a reply with a permit. It writes only numbers and fixed words: nothing needs to be escaped. */
final class PermitText {
    private static final long BARE_BELOW = 1024;
    private static final int LENGTH_USUAL = 96;

    private final StringBuilder json = new StringBuilder(LENGTH_USUAL);

    private PermitText() {}

    static PermitText of(AdmittedRequest request, Resources permit) {
        var text = new PermitText();
        text.json.append("{\"permit\":{\"vCPUs\":");
        if (permit.milliCpu() % 1000 == 0) {
            text.json.append(permit.milliCpu() / 1000);
        } else {
            text.json.append('"').append(Quantities.cpuText(permit.milliCpu())).append('"');
        }
        text.json.append(",\"mem\":");
        if (request.memoryInSlots()) {
            text.json.append(permit.memoryBytes() / request.pod().slotBytes());
        } else if (permit.memoryBytes() < BARE_BELOW) {
            text.json.append(permit.memoryBytes());
        } else {
            text.json
                    .append('"')
                    .append(Quantities.memoryText(permit.memoryBytes()))
                    .append('"');
        }
        text.json.append('}');
        return text;
    }

    PermitText migrating(boolean migrating) {
        if (migrating) {
            json.append(",\"migrate\":{}");
        }
        return this;
    }

    PermitText session(long session, Duration validFor) {
        long millis = validFor.toMillis();
        json.append(",\"session\":").append(session).append(",\"validFor\":");
        if (millis % 1000 == 0) {
            json.append(millis / 1000);
        } else {
            json.append(BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString());
        }
        return this;
    }

    PermitText recovered(boolean recovered) {
        if (recovered) {
            json.append(",\"recovered\":true");
        }
        return this;
    }

    /** Adds why less was granted than requested, for agents outside the bus. */
    PermitText ruling(KindDecision cpu, KindDecision memory) {
        json.append(",\"ruling\":{\"cpu\":");
        kind(cpu);
        json.append(",\"mem\":");
        kind(memory);
        json.append('}');
        return this;
    }

    private void kind(KindDecision ruling) {
        json.append("{\"verdict\":\"").append(ruling.outcome().name());
        json.append("\",\"before\":").append(ruling.before());
        json.append(",\"remaining\":").append(ruling.remaining());
        json.append(",\"nodeReserved\":").append(ruling.nodeReserved());
        json.append(",\"nodeTotal\":").append(ruling.nodeTotal());
        json.append('}');
    }

    HttpAnswer answer() {
        return HttpAnswer.json(json.append('}').toString());
    }
}
