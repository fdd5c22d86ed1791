package io.sluice.launcher;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Runs the roles that a config names, until the process is told to end. */
@Command(
        name = "run",
        description = "Runs the roles that a config names, until SIGTERM or Ctrl-C.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @ParentCommand
    private Main main;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "the YAML file to run by")
    private Path config;

    @Override
    public Integer call() throws Exception {
        var settings = Settings.read(Sources.of(config));
        var house = House.start(settings, Optional.empty());
        house.watch(() -> Settings.read(Sources.of(config)));
        main.life().await();
        return house.stop() ? Main.OK : Main.FAILED;
    }
}
