package io.sluice.lab.kubernetes;

import io.sluice.neonvm.api.KubernetesConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/** On the lab's API. */
@DisplayName("F5, F12: a size is patched under the current fence alone, whatever the API server answers")
class LabPatchTest extends PatchContract {
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
