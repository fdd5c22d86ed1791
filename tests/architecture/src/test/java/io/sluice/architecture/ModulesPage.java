package io.sluice.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import io.sluice.architecture.BusUse.Way;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** {@code docs/modules.md}: for each module its purpose, its messages and its sections of the config. */
final class ModulesPage {
    private static final String CONFIG = "verticles/launcher/src/main/java/io/sluice/launcher/config/SluiceConfig.java";
    private static final Path MODULES = Sources.TOP.resolve("verticles");

    private final BusUse use = BusUse.read();
    private final Map<String, String> addresses = Addresses.byConstant();
    private final Map<String, Set<String>> sections = sections();

    /** The whole page. */
    String text() {
        var page = new StringBuilder("""
            # Modules

            `ModulesPageTest` writes this page from the calls of the bus, the config records and the modules' READMEs.
            With `-Dreference.write=true` it writes it anew. Metrics are in each module's README.
            """);
        for (var module : modules()) {
            page.append("\n## ")
                    .append(module)
                    .append("\n\n")
                    .append(purpose(module))
                    .append("\n\n");
            page.append("* Serves: ").append(list(module, Way.SERVE)).append('\n');
            page.append("* Requests: ").append(list(module, Way.REQUEST)).append('\n');
            page.append("* Publishes: ").append(list(module, Way.PUBLISH)).append('\n');
            page.append("* Consumes: ").append(list(module, Way.SUBSCRIBE)).append('\n');
            page.append("* Config: ").append(config(module)).append('\n');
            page.append("* More: [README](../verticles/").append(module).append("/README.md)\n");
        }
        return page.toString();
    }

    private static Set<String> modules() {
        return Sources.endingWith("README.md").stream()
                .filter(file -> file.getParent().getParent().equals(MODULES))
                .map(file -> file.getParent().getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The first paragraph below the title. */
    private static String purpose(String module) {
        return Sources.lines(MODULES.resolve(module).resolve("README.md")).stream()
                .skip(1)
                .dropWhile(String::isBlank)
                .takeWhile(line -> !line.isBlank())
                .collect(Collectors.joining("\n"))
                .replace("](#", "](../verticles/" + module + "/README.md#");
    }

    private String list(String module, Way way) {
        return joined(
                use.constants(module, way).stream().map(addresses::get).collect(Collectors.toCollection(TreeSet::new)));
    }

    private String config(String module) {
        return joined(sections.getOrDefault(module, Set.of()));
    }

    private static String joined(Set<String> names) {
        return names.isEmpty()
                ? "nothing"
                : names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(",\n  "));
    }

    /** The sections of the config by the module that has their record. */
    private static Map<String, Set<String>> sections() {
        var homes = Sources.endingWith("Config.java").stream()
                .map(Sources::relative)
                .filter(file -> file.startsWith("verticles/") && file.contains("/src/main/"))
                .collect(Collectors.toMap(
                        file -> file.substring(file.lastIndexOf('/') + 1).replace(".java", ""),
                        file -> file.split("/")[1]));
        var sections = new TreeMap<String, Set<String>>();
        ParsedSources.each(
                CONFIG::equals,
                (file, unit) -> unit.getTypeDecls().stream()
                        .map(ClassTree.class::cast)
                        .flatMap(type -> type.getMembers().stream())
                        .filter(part -> part.getKind() == Tree.Kind.VARIABLE)
                        .map(VariableTree.class::cast)
                        .filter(part -> homes.containsKey(part.getType().toString())
                                && Character.isLowerCase(part.getName().charAt(0)))
                        .forEach(part -> sections.computeIfAbsent(
                                        homes.get(part.getType().toString()), key -> new TreeSet<>())
                                .add(part.getName().toString())));
        // Beside the config of a process there are sections that have a reader of their own.
        Sources.endingWith("Section.java").stream()
                .map(Sources::relative)
                .forEach(file -> sections.computeIfAbsent(file.split("/")[1], key -> new TreeSet<>())
                        .add(file.substring(file.lastIndexOf('/') + 1)
                                .replace("Section.java", "")
                                .toLowerCase(Locale.ROOT)));
        return sections;
    }
}
