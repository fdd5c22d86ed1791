package io.sluice.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.AgentConfig;
import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads policies: from files, or those that come with the program, by name. */
public final class Policies {
    /** The policies that come with the program; the first is what others are compared with. */
    public static final List<String> BUILT_IN = List.of("p99.5+20", "hindsight", "reference", "sluice");

    private static final String POLICY = "policy";
    private static final String AGENT = "agent";

    private Policies() {}

    /**
     * A policy to replay.
     *
     * @param config its section {@code policy}
     * @param core production's core with its section {@code agent}
     */
    public record ReplayedPolicy(PolicyConfig config, CoreConfig core) {}

    /** The sections of a policy's file. */
    public record PolicyFile(PolicyConfig policy, AgentConfig agent) {
        static final PolicyFile DEFAULTS = new PolicyFile(PolicyConfig.DEFAULTS, AgentConfig.DEFAULTS);
    }

    /** The policies of these files and names; all that come with the program for none. */
    public static List<ReplayedPolicy> read(List<String> filesOrNames) {
        var names = filesOrNames.isEmpty() ? BUILT_IN : filesOrNames;
        var policies = new ArrayList<ReplayedPolicy>();
        for (var name : names) {
            policies.add(BUILT_IN.contains(name) ? parse(builtIn(name), name) : parse(file(name), name));
        }
        var distinct = policies.stream()
                .map(policy -> policy.config().name())
                .distinct()
                .count();
        if (distinct != policies.size()) {
            throw new ConfigException(List.of("two of the policies have the same policy.name."));
        }
        return List.copyOf(policies);
    }

    private static String builtIn(String name) {
        try (var text = Policies.class.getResourceAsStream("policies/" + name + ".yaml")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String file(String name) {
        try {
            var file = Path.of(name);
            if (Files.size(file) > YamlText.BYTES_MAX) {
                throw new ConfigException(List.of("the policy " + name + " is too large."));
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new ConfigException(List.of("the policy " + name + " cannot be read, and none that comes with the"
                    + " program is named so: those are " + String.join(", ", BUILT_IN) + "."));
        }
    }

    /**
     * A file of production has no section {@code policy}; of its other sections only {@code agent} counts, and its
     * policy is {@code agent.policy}.
     */
    private static ReplayedPolicy parse(String text, String name) {
        var tree = YamlText.parse(text, name);
        if (!tree.has(POLICY)) {
            var agent = tree.get(AGENT);
            tree.removeAll();
            if (agent != null) {
                tree.set(AGENT, agent);
            }
            tree.putObject(POLICY).put("name", fileName(name));
            if (agent != null && agent.get(POLICY) instanceof ObjectNode inForce) {
                tree.withObject("/" + POLICY).setAll(inForce);
            }
        }
        var read =
                ConfigReader.read(PolicyFile.class, PolicyFile.DEFAULTS, new ConfigSources(tree, Map.of(), Map.of()));
        return new ReplayedPolicy(read.policy(), read.agent().runner().core());
    }

    private static String fileName(String path) {
        return Path.of(path).getFileName().toString().replaceFirst("\\.ya?ml$", "");
    }
}
