package io.sluice.kube.contract;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.ApiServerContract;
import io.sluice.neonvm.api.KubernetesConnection;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the contract of the lab's API is the behavior of a real API server. */
@OnKubernetes
class RealApiContractTest extends ApiServerContract {
    private static ControlPlane plane;
    private static KubernetesClient client;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        client = KubernetesConnection.open(plane.admin());
    }

    @AfterAll
    static void stop() {
        client.close();
        plane.close();
    }

    @Override
    protected KubernetesClient client() {
        return client;
    }
}
