package io.sluice.launcher;

import io.sluice.launcher.client.CompletionCommand;
import io.sluice.launcher.client.ConsoleException;
import io.sluice.launcher.client.DumpCommand;
import io.sluice.launcher.client.InstancesCommand;
import io.sluice.launcher.client.PodsCommand;
import io.sluice.launcher.client.ProfileCommand;
import io.sluice.launcher.client.RecordCommand;
import io.sluice.launcher.client.StatusCommand;
import io.sluice.launcher.client.TapCommand;
import io.sluice.launcher.client.TopCommand;
import io.sluice.launcher.client.WhyCommand;
import io.sluice.launcher.client.WorkersCommand;
import io.sluice.launcher.replay.DiffCommand;
import io.sluice.launcher.replay.ReplayCommand;
import io.sluice.launcher.replay.StoppableProcess;
import io.sluice.shell.config.ConfigException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The command line.
 *
 * <p>Exit status: 0 ended as requested; 1 could not start, failed, or a demo found a breach; 2 the command line or the
 * config is wrong.
 */
@Command(
        name = "sluice",
        description = "Scales running virtual machines live.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main implements Callable<Integer>, StoppableProcess {
    static final String HOME_PROPERTY = "sluice.home";
    static final String PARENT_PROPERTY = "sluice.parent";
    static final int OK = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;

    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            DemoCommand.class,
            ConfigCommand.class,
            StatusCommand.class,
            BillCommand.class,
            WhyCommand.class,
            TopCommand.class,
            TapCommand.class,
            DumpCommand.class,
            ProfileCommand.class,
            WorkerCommand.class,
            InstancesCommand.class,
            WorkersCommand.class,
            PodsCommand.class,
            RecordCommand.class,
            ReplayCommand.class,
            DiffCommand.class,
            CompletionCommand.class);

    /** The commands that a signal has to stop in their order; it ends every other one at once. */
    private static final Set<String> STOPPED_IN_ORDER = Set.of("run", "demo", "worker", "replay");

    private final ProcessLifetime life;

    Main(ProcessLifetime life) {
        this.life = life;
    }

    /** Runs one command and ends the process with its status. */
    public static void main(String[] arguments) {
        var life = new ProcessLifetime();
        if (arguments.length > 0 && STOPPED_IN_ORDER.contains(arguments[0])) {
            life.heedSignals();
        }
        life.exit(runToTheEnd(life, arguments));
    }

    /** Ends the process whatever is thrown, as threads of Vert.x would keep it alive after its main thread. */
    private static int runToTheEnd(ProcessLifetime life, String... arguments) {
        try {
            return run(life, arguments);
        } catch (RuntimeException | Error thrown) {
            return defect(thrown);
        }
    }

    static int run(ProcessLifetime life, String... arguments) {
        var program = new CommandLine(new Main(life));
        commands(arguments).forEach(program::addSubcommand);
        return program.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((thrown, line, parsed) -> explain(thrown))
                .execute(arguments);
    }

    /**
     * The command that is named first, as to examine all of them takes picocli long; all of them if none is, or if all
     * are to be completed.
     */
    private static List<Class<?>> commands(String... arguments) {
        var named = COMMANDS.stream()
                .filter(type -> type != CompletionCommand.class
                        && arguments.length > 0
                        && name(type).equals(arguments[0]))
                .toList();
        return named.isEmpty() ? COMMANDS : named;
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    @Override
    public Integer call() {
        System.err.println("sluice: a command is missing: "
                + COMMANDS.stream().map(Main::name).collect(Collectors.joining(", "))
                + " (sluice --help has more)");
        return MISUSED;
    }

    ProcessLifetime life() {
        return life;
    }

    @Override
    public boolean isEnding() {
        return life.isEnding();
    }

    /** Prints what went wrong, one sentence each; a stack trace only for a defect of the program. */
    private static int explain(Exception thrown) {
        if (thrown instanceof ConfigException config) {
            config.errors().forEach(error -> System.err.println("sluice: " + error));
            return MISUSED;
        }
        if (thrown instanceof StartException failed) {
            System.err.println("sluice: " + failed.getMessage());
            return FAILED;
        }
        if (thrown instanceof ConsoleException request) {
            System.err.println("sluice: " + request.getMessage());
            return FAILED;
        }
        return defect(thrown);
    }

    private static int defect(Throwable thrown) {
        System.err.println("sluice: this is a defect of the program:");
        thrown.printStackTrace();
        return FAILED;
    }

    /** The version that the build wrote into the jar; empty for classes that are in none. */
    static String version() {
        var version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    /** The output of {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"sluice " + (version().isEmpty() ? "(not from a distribution)" : version())};
        }
    }
}
