package io.sluice.gateway.dump;

import io.sluice.gateway.GatewayConfig;
import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;

/**
 * Serves the state of the agent's runners in the shape of the reference's agent: any path, GET, with or without a body.
 */
public final class DumpVerticle extends VerticleBase implements Reloadable<ListenerConfig> {
    private final ListenerConfig config;
    private final Shell shell;
    private volatile HttpListener listener;

    /** Creates a verticle whose listener opens at its start. */
    public DumpVerticle(ListenerConfig config, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
    }

    /** Returns the port of the listener; 0 until it is open. Safe from any thread. */
    public int port() {
        return listener == null ? 0 : listener.port();
    }

    @Override
    public Future<?> start() {
        var spec = ListenerSpec.of(
                        GatewayConfig.DUMP, router -> router.route().handler(DumpHandler.ofAgent(vertx, shell)))
                .expecting(ListenerSpec.Kind.PRIVATE);
        return HttpListener.open(vertx, shell, config, spec).onSuccess(opened -> listener = opened);
    }

    @Override
    public Future<?> stop() {
        return listener.close();
    }

    @Override
    public Future<Void> reload(ListenerConfig section) {
        return listener.reload(section);
    }
}
