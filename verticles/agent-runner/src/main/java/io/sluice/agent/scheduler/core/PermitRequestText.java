package io.sluice.agent.scheduler.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.util.Optional;

/**
 * A permit request as JSON of the agents' protocol, without its version. Servers without sessions read it as any other
 * agent's: what opens a session is for them a permit request for what the VM has.
 *
 * @param fields everything but the version
 * @param load1 the load, for versions that accept it alone
 */
public record PermitRequestText(ObjectNode fields, Optional<Float> load1) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final long BARE_BELOW = 1024;
    private static final String RUNNER = "runner";

    /** The request for a session, in the name of a runner with this compute unit. */
    public static PermitRequestText of(OpenSession request, PodNames.Named name, Resources unit) {
        var fields = named(name, unit, name.most());
        fields.putNull("lastPermit");
        fields.put(RUNNER, request.runner());
        if (request.lastSession() > 0 && !LocalSession.is(request.lastSession())) {
            fields.put("lastSession", request.lastSession());
        }
        return new PermitRequestText(fields, Optional.empty());
    }

    /** A permit request in a session. A {@link LocalSession} is sent too: a server with sessions refuses it. */
    public static PermitRequestText of(PermitRequest request, PodNames.Named name) {
        var fields = named(name, request.computeUnit(), request.target());
        request.lastPermit()
                .ifPresentOrElse(
                        permit -> fields.set("lastPermit", amount(permit)), () -> fields.putNull("lastPermit"));
        fields.put(RUNNER, request.runner());
        fields.put("session", request.session());
        fields.put("seq", request.seq());
        request.use().ifPresent(use -> {
            fields.set("inUse", amount(use.inUse()));
            fields.set("exposure", amount(use.exposure()));
        });
        return new PermitRequestText(fields, request.load1());
    }

    /** The body of a request in that version of the protocol. */
    public String in(int version) {
        var body = NODES.objectNode().put("protoVersion", version);
        body.setAll(fields);
        // Older servers require two more values beside the load, so they get none at all.
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
