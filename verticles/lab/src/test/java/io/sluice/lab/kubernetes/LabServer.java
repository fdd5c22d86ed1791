package io.sluice.lab.kubernetes;

import io.sluice.lab.api.LabApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.vertx.core.Vertx;
import java.time.InstantSource;

/** The lab's API, for a whole class of tests. */
final class LabServer implements AutoCloseable {
    private static final int HISTORY_MAX = 1000;

    private final Vertx vertx = Vertx.vertx();
    private final KubernetesConfig config;

    LabServer() {
        var api = new LabApi(vertx, InstantSource.system(), HISTORY_MAX);
        config = KubernetesConfig.DEFAULTS.at(DriverContract.done(api.start("127.0.0.1", 0)));
    }

    KubernetesConfig config() {
        return config;
    }

    @Override
    public void close() {
        DriverContract.done(vertx.close());
    }
}
