package io.sluice.bench.permits;

import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.sluice.bus.Bus;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.ledger.LedgerVerticle;
import io.vertx.core.Vertx;
import java.io.IOException;

/** The server process of {@link PermitBench}: a ledger and a gateway, with all defaults but the rate limit of a pod. */
final class PermitServer {
    private PermitServer() {}

    public static void main(String[] arguments) throws IOException {
        var config = Config.with(PermitFleet.OPEN_LISTENER);
        var vertx = Vertx.vertx();
        var shell = Config.shell();
        var gateway = new GatewayVerticle(config.gateway(), shell);
        Config.done(vertx.deployVerticle(new LedgerVerticle(config.ledger(), shell)));
        Config.done(vertx.deployVerticle(gateway));
        PermitFleet.load(new Bus(vertx));
        Child.report(Integer.toString(gateway.agentPort()));
        Child.untilParentLeaves();
        System.exit(0);
    }
}
