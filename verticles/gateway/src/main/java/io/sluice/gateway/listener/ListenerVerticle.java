package io.sluice.gateway.listener;

import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;

/** A verticle with one listener, which is open while it runs. */
public abstract class ListenerVerticle extends VerticleBase implements Reloadable<ListenerConfig> {
    /** What the process provides. */
    protected final Shell shell;

    private final ListenerConfig config;
    private volatile HttpListener listener;

    /** Creates a verticle whose listener opens at its start. */
    protected ListenerVerticle(ListenerConfig config, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
    }

    /** Returns the specification of the listener; called once, at the start. */
    protected abstract ListenerSpec spec();

    /** Returns the port of the listener; 0 until it is open. Safe from any thread. */
    public final int port() {
        return listener == null ? 0 : listener.port();
    }

    @Override
    public final Future<?> start() {
        return HttpListener.open(vertx, shell, config, spec()).onSuccess(opened -> listener = opened);
    }

    @Override
    public final Future<?> stop() {
        return listener.close();
    }

    @Override
    public final Future<Void> reload(ListenerConfig section) {
        return listener.reload(section);
    }
}
