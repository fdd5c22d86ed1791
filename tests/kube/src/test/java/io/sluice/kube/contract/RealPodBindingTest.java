package io.sluice.kube.contract;

import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.kubernetes.PodBindingContract;
import io.sluice.neonvm.api.KubernetesConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server. */
@OnKubernetes
class RealPodBindingTest extends PodBindingContract {
    private static ControlPlane plane;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @Override
    protected KubernetesConfig server() {
        return plane.admin();
    }
}
