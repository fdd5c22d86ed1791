package io.sluice.lab.kubernetes;

import io.sluice.neonvm.api.KubernetesConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the lab's API. */
class LabPodBindingTest extends PodBindingContract {
    private static LabServer server;

    @BeforeAll
    static void start() {
        server = new LabServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected KubernetesConfig server() {
        return server.config();
    }
}
