package io.sluice.launcher;

import io.sluice.launcher.config.Settings;
import io.sluice.shell.LogKeys;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Runs the roles that a config names, until the process is to end. */
@Command(
        name = "run",
        description = "Runs the roles that a config names, until SIGTERM or Ctrl-C.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @ParentCommand
    private Main main;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "the YAML file with the config")
    private Path config;

    @Override
    public Integer call() throws Exception {
        while (true) {
            var started = RoleRuntime.start(
                    Settings.read(ProcessConfigSources.of(config)), Optional.empty(), main.life()::isEnding);
            if (started.isEmpty()) {
                return Main.OK;
            }
            var runtime = started.get();
            runtime.watch(() -> Settings.read(ProcessConfigSources.of(config)));
            var lost = main.life().awaitUnless(runtime.lost());
            if (lost.isEmpty()) {
                return runtime.stop() ? Main.OK : Main.FAILED;
            }
            joinsAnew(lost.get());
            runtime.stop();
        }
    }

    /**
     * The logger is made here, as all commands are created before one is chosen, and another one may choose the log's
     * output.
     */
    private static void joinsAnew(String reason) {
        LoggerFactory.getLogger(RunCommand.class)
                .atWarn()
                .addKeyValue(LogKeys.REASON, reason)
                .log("The Hazelcast cluster was lost; this process joins anew.");
    }
}
