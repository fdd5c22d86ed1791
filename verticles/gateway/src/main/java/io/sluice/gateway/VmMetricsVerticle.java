package io.sluice.gateway;

import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.gateway.listener.ListenerVerticle;
import io.sluice.shell.Shell;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Serves the metrics that have a series for each VM: there are many, and not every user stores them. */
public final class VmMetricsVerticle extends ListenerVerticle {
    private final UnaryOperator<String> scrape;

    /**
     * Creates a verticle whose listener opens at its start.
     *
     * @param scrape returns the VMs' metrics in a format that Prometheus reads, given its media type; called off the
     *     event loop
     */
    public VmMetricsVerticle(ListenerConfig config, Shell shell, UnaryOperator<String> scrape) {
        super(config, shell);
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    @Override
    protected ListenerSpec spec() {
        return ListenerSpec.of(
                        GatewayConfig.VM_METRICS,
                        router -> HealthVerticle.reading(router, "/metrics").handler(new ScrapeHandler(vertx, scrape)))
                .expecting(ListenerSpec.Kind.PRIVATE);
    }
}
