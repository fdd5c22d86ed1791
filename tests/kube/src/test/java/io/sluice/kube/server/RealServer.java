package io.sluice.kube.server;

import io.sluice.lab.api.ApiServerExtension;
import java.nio.file.Path;

/** A real API server, for all tests of a class. */
public final class RealServer extends ApiServerExtension {
    @Override
    protected Server start(Path folder) {
        return ControlPlane.start(folder);
    }
}
