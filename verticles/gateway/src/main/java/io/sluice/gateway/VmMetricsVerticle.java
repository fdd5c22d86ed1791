package io.sluice.gateway;

import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.gateway.listener.ListenerVerticle;
import io.sluice.shell.Shell;
import java.util.Objects;
import java.util.function.Supplier;

/** Serves the metrics that have a series for each VM: there are many, and not every user stores them. */
public final class VmMetricsVerticle extends ListenerVerticle {
    private final Supplier<String> scrape;

    /**
     * Creates a verticle whose listener opens at its start.
     *
     * @param scrape returns the VMs' metrics as Prometheus text; called off the event loop
     */
    public VmMetricsVerticle(ListenerConfig config, Shell shell, Supplier<String> scrape) {
        super(config, shell);
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    @Override
    protected ListenerSpec spec() {
        return ListenerSpec.of(
                GatewayConfig.VM_METRICS,
                router -> HealthVerticle.reading(router, "/metrics").handler(new ScrapeHandler(vertx, scrape)));
    }
}
