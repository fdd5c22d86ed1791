package io.sluice.lab.api;

import io.sluice.neonvm.api.KubernetesConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts an API server for all tests of a class, and passes its config to their methods. It has a namespace
 * {@code default} and the kinds of VMs and migrations.
 */
public abstract class ApiServerExtension implements BeforeAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(ApiServerExtension.class);

    /** A server that runs. */
    public interface Server extends AutoCloseable {
        /** The access of a user with all rights. */
        KubernetesConfig admin();

        @Override
        void close();
    }

    private record Running(Server server, Path folder) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            server.close();
            try (var files = Files.walk(folder)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Starts it; all its files are in that folder. */
    protected abstract Server start(Path folder);

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        var folder = Files.createTempDirectory("api-server");
        context.getStore(HERE).put(Running.class, new Running(start(folder), folder));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KubernetesConfig.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(HERE).get(Running.class, Running.class).server().admin();
    }
}
