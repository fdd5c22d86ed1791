package io.sluice.gateway;

import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;

/**
 * Lets the state of the agent's runners be read, in the shape in which agents have always shown it: any path, GET, with
 * or without a body.
 */
public final class DumpVerticle extends VerticleBase implements Reloadable<ListenerConfig> {
    private final ListenerConfig config;
    private final Shell shell;
    private volatile HttpListener door;

    /** A door that is not open yet. */
    public DumpVerticle(ListenerConfig config, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
    }

    /** The port of the door; 0 until it is open. Safe from any thread. */
    public int port() {
        return door == null ? 0 : door.port();
    }

    @Override
    public Future<?> start() {
        var doorway = ListenerSpec.of(GatewayConfig.DUMP, DumpHandler.ofAgent(vertx, shell))
                .expecting(ListenerSpec.Kind.PRIVATE);
        return HttpListener.open(vertx, shell, config, doorway).onSuccess(opened -> door = opened);
    }

    @Override
    public Future<?> stop() {
        return door.close();
    }

    @Override
    public Future<Void> reload(ListenerConfig section) {
        return door.reload(section);
    }
}
