package io.sluice.bench.permits;

import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.sluice.bus.Bus;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.launcher.traces.Traces;
import io.sluice.ledger.LedgerVerticle;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The server process of {@link PermitBench}: a ledger and a gateway, with all defaults but the rate limit of a pod.
 * With arguments, {@code NAME=VALUE} each, it records traces by these variables of OpenTelemetry.
 */
final class PermitServer {
    private PermitServer() {}

    public static void main(String[] arguments) throws IOException {
        var config = Config.with(PermitFleet.OPEN_LISTENER);
        var vertx = Vertx.vertx();
        var shell = Config.shell();
        var variables = Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        new Bus(vertx).traceWith(new Traces(variables).start("bench", shell.meters()));
        var gateway = new GatewayVerticle(config.gateway(), shell);
        Config.done(vertx.deployVerticle(new LedgerVerticle(config.ledger(), shell)));
        Config.done(vertx.deployVerticle(gateway));
        PermitFleet.load(new Bus(vertx));
        Child.report(Integer.toString(gateway.agentPort()));
        Child.untilParentLeaves();
        System.exit(0);
    }
}
