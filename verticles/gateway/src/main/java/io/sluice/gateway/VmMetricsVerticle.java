package io.sluice.gateway;

import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import java.util.function.Supplier;

/** Serves the metrics that have a series for each VM: there are many, and not every user stores them. */
public final class VmMetricsVerticle extends VerticleBase implements Reloadable<ListenerConfig> {
    private final ListenerConfig config;
    private final Shell shell;
    private final Supplier<String> scrape;
    private volatile HttpListener listener;

    /**
     * Creates a verticle whose listener opens at its start.
     *
     * @param scrape returns the VMs' metrics as Prometheus text; called off the event loop
     */
    public VmMetricsVerticle(ListenerConfig config, Shell shell, Supplier<String> scrape) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    /** Returns the port of the listener; 0 until it is open. Safe from any thread. */
    public int port() {
        return listener == null ? 0 : listener.port();
    }

    @Override
    public Future<?> start() {
        var spec = ListenerSpec.of(
                GatewayConfig.VM_METRICS,
                router -> HealthVerticle.reading(router, "/metrics").handler(new ScrapeHandler(vertx, scrape)));
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
