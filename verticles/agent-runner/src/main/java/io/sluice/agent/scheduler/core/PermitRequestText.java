package io.sluice.agent.scheduler.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.util.Optional;

/**
 * A question in the words of the agents' protocol, but for its version. Servers that know no sessions read it as any
 * other agent's: what opens a session is to them a question for what the VM has.
 *
 * @param fields everything but the version
 * @param load1 the load, for versions that can do with it alone
 */
public record PermitRequestText(ObjectNode fields, Optional<Float> load1) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final long BARE_BELOW = 1024;
    private static final String RUNNER = "runner";

    /** The wish for a session, in the name of a runner that steps by that unit. */
    public static PermitRequestText of(OpenSession question, PodNames.Named name, Resources unit) {
        var fields = named(name, unit, name.most());
        fields.putNull("lastPermit");
        fields.put(RUNNER, question.runner());
        if (question.lastSession() > 0 && !LocalSession.is(question.lastSession())) {
            fields.put("lastSession", question.lastSession());
        }
        return new PermitRequestText(fields, Optional.empty());
    }

    /** A question of a session. One that only stands in for one is sent too: whoever knows sessions refuses it. */
    public static PermitRequestText of(PermitRequest question, PodNames.Named name) {
        var fields = named(name, question.computeUnit(), question.target());
        question.lastPermit()
                .ifPresentOrElse(
                        permit -> fields.set("lastPermit", amount(permit)), () -> fields.putNull("lastPermit"));
        fields.put(RUNNER, question.runner());
        fields.put("session", question.session());
        fields.put("seq", question.seq());
        question.use().ifPresent(use -> {
            fields.set("inUse", amount(use.inUse()));
            fields.set("exposure", amount(use.exposure()));
        });
        return new PermitRequestText(fields, question.load1());
    }

    /** The body of a request in that version of the protocol. */
    public String in(int version) {
        var body = NODES.objectNode().put("protoVersion", version);
        body.setAll(fields);
        // Older servers want two more figures beside the load, and take none at all.
        if (version == ProtocolVersions.NEWEST && load1.isPresent()) {
            body.putObject("metrics").put("loadAvg1M", load1.get());
        } else {
            body.putNull("metrics");
        }
        return body.toString();
    }

    private static ObjectNode named(PodNames.Named name, Resources unit, Resources target) {
        var fields = NODES.objectNode();
        fields.putObject("pod").put("namespace", name.namespace()).put("name", name.pod());
        fields.set("computeUnit", amount(unit));
        fields.set("resources", amount(target));
        return fields;
    }

    private static ObjectNode amount(Resources resources) {
        var amount = NODES.objectNode();
        if (resources.milliCpu() % 1000 == 0) {
            amount.put("vCPUs", resources.milliCpu() / 1000);
        } else {
            amount.put("vCPUs", Quantities.cpuText(resources.milliCpu()));
        }
        if (resources.memoryBytes() < BARE_BELOW) {
            amount.put("mem", resources.memoryBytes());
        } else {
            amount.put("mem", Quantities.memoryText(resources.memoryBytes()));
        }
        return amount;
    }
}
