package io.sluice.gateway.dump;

import io.sluice.gateway.GatewayConfig;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.gateway.listener.ListenerVerticle;
import io.sluice.shell.Shell;

/**
 * Serves the state of the agent's runners in the shape of the reference's agent: any path, GET, with or without a body.
 */
public final class DumpVerticle extends ListenerVerticle {
    /** Creates a verticle whose listener opens at its start. */
    public DumpVerticle(ListenerConfig config, Shell shell) {
        super(config, shell);
    }

    @Override
    protected ListenerSpec spec() {
        return ListenerSpec.of(GatewayConfig.DUMP, router -> router.route().handler(DumpHandler.ofAgent(vertx, shell)))
                .expecting(ListenerSpec.Kind.PRIVATE);
    }
}
