package io.sluice.kube.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An overlay of {@code deploy/} with some of the components, as an operator would put them together. */
public final class ComposedOverlay {
    private final Kubectl kubectl;
    private final Path folder;
    private final Path own;

    /** @param folder where its kustomization is written */
    public ComposedOverlay(Kubectl kubectl, Path folder, String overlay, String... components) throws IOException {
        this.kubectl = kubectl;
        this.folder = folder.toRealPath();
        this.own = Files.createTempDirectory(this.folder, "overlay-");
        Files.writeString(own.resolve("kustomization.yaml"), """
            resources: [%s]
            components: [%s]
            """.formatted(
                        own.relativize(Deploy.overlay(overlay)),
                        Stream.of(components)
                                .map(component -> own.relativize(Deploy.component(component))
                                        .toString())
                                .collect(Collectors.joining(", "))));
    }

    /** What its roles grant. */
    public SortedSet<Right> rights() {
        return Right.granted(objects());
    }

    /** The environment variables of its program. */
    Map<String, String> variables() {
        return objects()
                .flatMap(object -> object.at("/spec/template/spec/containers").valueStream())
                .filter(container -> container.path("name").asText().equals("sluice"))
                .flatMap(container -> container.path("env").valueStream())
                .filter(variable -> variable.has("value"))
                .collect(Collectors.toMap(
                        variable -> variable.path("name").asText(),
                        variable -> variable.path("value").asText(),
                        (one, other) -> one));
    }

    private Stream<JsonNode> objects() {
        return kubectl.objects("create", "--dry-run=client", "-k", own.toString()).stream();
    }

    /** What it grants beyond the rights of another one. */
    public SortedSet<Right> rightsBeyond(ComposedOverlay other) {
        var more = rights();
        more.removeAll(other.rights());
        return more;
    }

    /** Applies it; returns the file of a token of an account that it makes. */
    public Path token(String account) throws IOException {
        kubectl.run("apply", "-k", own.toString());
        var token = kubectl.run("create", "token", account, "--namespace=kube-system");
        return Files.writeString(folder.resolve(account + ".token"), token.strip());
    }
}
