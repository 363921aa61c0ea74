//! Units, declarations, types, contracts.

use super::{Parser, R};
use crate::lexer::Token;
use crate::syntax::*;
use base::Diagnostic;

/// Aspects that say something about the data flow or for other tools, and nothing that a run would check.
const FLOW_ASPECTS: [&str; 22] = [
    "spark_mode",
    "global",
    "depends",
    "ghost",
    "inline",
    "pure",
    "preelaborate",
    "annotate",
    "initializes",
    "convention",
    "always_terminates",
    "refined_global",
    "refined_depends",
    "no_return",
    "abstract_state",
    "refined_state",
    "part_of",
    "elaborate_body",
    "size",
    "object_size",
    "alignment",
    "pack",
];

/// Pragmas of the same kind.
pub(super) const FLOW_PRAGMAS: [&str; 12] = [
    "spark_mode",
    "inline",
    "warnings",
    "annotate",
    "pure",
    "preelaborate",
    "elaborate_body",
    "elaborate_all",
    "elaborate",
    "unreferenced",
    "assertion_policy",
    "pack",
];

impl Parser {
    pub(super) fn unit(&mut self) -> R<Option<Unit>> {
        let is_with = self.is_key("with");
        if self.take_key("with") || self.take_key("use") {
            self.take_key("type");
            let mut names = vec![self.dotted("the name of a unit")?.text];
            while self.take(",") {
                names.push(self.dotted("the name of a unit")?.text);
            }
            self.withs.extend(names.into_iter().filter(|_| is_with));
            self.expect(";")?;
            return Ok(None);
        }
        if self.is_key("pragma") {
            self.configuration()?;
            return Ok(None);
        }
        self.take_key("private");
        let withs = std::mem::take(&mut self.withs);
        if !self.is_key("package") {
            return Ok(Some(Unit::Subprogram(self.subprogram()?)));
        }
        self.advance();
        let is_body = self.take_key("body");
        let package = Package { withs, ..self.package()? };
        Ok(Some(if is_body { Unit::Body(package) } else { Unit::Spec(package) }))
    }

    /// A pragma that changes nothing.
    fn configuration(&mut self) -> R<()> {
        self.expect_key("pragma")?;
        let name = self.name("the name of a pragma")?;
        if !FLOW_PRAGMAS.contains(&name.text.as_str()) {
            let message = format!("pragma {} is not in the subset of SPARK that is supported", name.text);
            return Err(Diagnostic::error("unsupported", name.span, message));
        }
        self.skip_pragma()
    }

    /// The rest of a pragma whose arguments do not matter.
    pub(super) fn skip_pragma(&mut self) -> R<()> {
        while !self.is(";") && *self.peek() != Token::End {
            self.advance();
        }
        self.expect(";")
    }

    fn package(&mut self) -> R<Package> {
        let name = self.dotted("the name of a package")?;
        if self.is_key("renames") {
            return self.unsupported("renamings of packages");
        }
        self.aspects(None)?;
        self.expect_key("is")?;
        if self.is_key("new") {
            return self.unsupported("instances of generic units");
        }
        let (start, outer) = (self.span(), std::mem::take(&mut self.partial));
        let mut items = self.items()?;
        let partial = std::mem::replace(&mut self.partial, outer);
        let mut private = None;
        if self.take_key("private") {
            private = Some((items.len(), self.since(start)));
            items.extend(self.items()?);
        }
        let statements = if self.take_key("begin") { self.statements()? } else { Vec::new() };
        self.end(Some(&name))?;
        Ok(Package { name, items, statements, withs: Vec::new(), private, partial })
    }

    /// `for T use (A => 1, B => 2);` and its like say how values are stored, which no run sees. An address would be seen.
    fn representation(&mut self) -> R<()> {
        let start = self.span();
        self.advance();
        self.dotted("the name of a type or an object")?;
        if self.take("'") {
            let attribute = self.name("an attribute")?;
            if !["size", "object_size", "alignment", "component_size", "bit_order", "value_size"]
                .contains(&attribute.text.as_str())
            {
                return self.no(attribute.span, &format!("a clause for the attribute {}", attribute.text));
            }
        }
        self.expect_key("use")?;
        if self.is_key("at") {
            return self.no(start, "an address clause");
        }
        if self.take_key("record") {
            while !self.take_key("end") {
                if *self.peek() == Token::End {
                    return self.expected("`end record`");
                }
                self.advance();
            }
            self.expect_key("record")?;
        }
        self.skip_pragma()
    }

    /// `end name;`
    pub(super) fn end(&mut self, name: Option<&Name>) -> R<()> {
        self.expect_key("end")?;
        if let Token::Name(_) = self.peek() {
            let found = self.dotted("a name")?;
            if let Some(name) = name
                && found.text != name.text
            {
                let message = format!("`{}` ends here, not `{}`", name.text, found.text);
                return Err(Diagnostic::error("syntax", found.span, message));
            }
        }
        self.expect(";")
    }

    /// Declarations up to something that is none.
    pub(super) fn items(&mut self) -> R<Vec<Item>> {
        let mut out = Vec::new();
        loop {
            match self.peek() {
                Token::Key("begin" | "end" | "private") | Token::End => return Ok(out),
                Token::Key("pragma") => self.configuration()?,
                Token::Key("use") => {
                    self.unit()?;
                }
                _ => self.item(&mut out)?,
            }
        }
    }

    fn item(&mut self, out: &mut Vec<Item>) -> R<()> {
        match self.peek() {
            Token::Key("type") => {
                self.advance();
                let name = self.name("the name of a type")?;
                if self.is("(") {
                    return self.unsupported("discriminants");
                }
                if self.take(";") {
                    return Ok(());
                }
                self.expect_key("is")?;
                // A private view says nothing that the full type does not.
                if self.take_key("private") || (self.is_key("limited") && *self.ahead(1) == Token::Key("private")) {
                    self.skip_pragma()?;
                    self.partial.push(name);
                    return Ok(());
                }
                let def = self.type_definition()?;
                self.aspects(None)?;
                self.expect(";")?;
                out.push(Item::Type(name, def));
            }
            Token::Key("subtype") => {
                self.advance();
                let name = self.name("the name of a subtype")?;
                self.expect_key("is")?;
                let def = TypeDef::Subtype(self.subtype()?);
                self.aspects(None)?;
                self.expect(";")?;
                out.push(Item::Type(name, def));
            }
            Token::Key("procedure" | "function") => out.push(Item::Subprogram(self.subprogram()?)),
            Token::Key("package") => {
                self.advance();
                self.take_key("body");
                out.push(Item::Package(self.package()?));
            }
            Token::Key("for") => self.representation()?,
            Token::Annotation => {
                self.advance();
                let word = self.name("`predicate`")?;
                if word.text != "predicate" {
                    let message = format!("`--% {}` is no declaration; `--% predicate` is", word.text);
                    return Err(Diagnostic::error("annotation", word.span, message));
                }
                out.push(Item::Predicate(self.expr()?));
                self.expect(";")?;
            }
            Token::Name(_) => self.objects(out)?,
            _ => return self.expected("a declaration"),
        }
        Ok(())
    }

    fn objects(&mut self, out: &mut Vec<Item>) -> R<()> {
        let mut names = vec![self.name("the name of an object")?];
        while self.take(",") {
            names.push(self.name("the name of an object")?);
        }
        self.expect(":")?;
        let constant = self.take_key("constant");
        if constant && self.take(":=") {
            let value = self.expr()?;
            self.expect(";")?;
            out.extend(names.into_iter().map(|n| Item::Number(n, value.clone())));
            return Ok(());
        }
        self.take_key("aliased");
        let ty = if self.take_key("array") {
            // A type of its own, whose name nobody can write.
            let name = Name { text: format!("type of {}", names[0].text), span: names[0].span };
            out.push(Item::Type(name.clone(), self.array()?));
            Subtype { name, range: None, index: None }
        } else {
            self.subtype()?
        };
        if self.take_key("renames") {
            let of = self.prefix()?;
            self.expect(";")?;
            out.push(Item::Renaming(names.remove(0), ty.name, of));
            return Ok(());
        }
        let value = if self.take(":=") { Some(self.expr()?) } else { None };
        self.aspects(None)?;
        self.expect(";")?;
        if constant && value.is_none() {
            // Its value stands in the private part.
            self.partial.extend(names);
            return Ok(());
        }
        out.push(Item::Object(Object { names, constant, ty, value }));
        Ok(())
    }

    pub(super) fn subtype(&mut self) -> R<Subtype> {
        if self.is_key("not") {
            return self.unsupported("access types");
        }
        let name = self.dotted("the name of a type")?;
        if self.take("(") {
            let index = Some(Box::new(self.indices()?));
            if !self.is(")") {
                return self.no(name.span, "a constraint of several indices or discriminants");
            }
            self.advance();
            return Ok(Subtype { name, range: None, index });
        }
        let range = if self.take_key("range") { Some(self.bounds()?) } else { None };
        Ok(Subtype { name, range, index: None })
    }

    pub(super) fn bounds(&mut self) -> R<(Expr, Expr)> {
        let low = self.simple()?;
        self.expect("..")?;
        Ok((low, self.simple()?))
    }

    fn type_definition(&mut self) -> R<TypeDef> {
        if self.take_key("range") {
            let (low, high) = self.bounds()?;
            return Ok(TypeDef::Range(low, high));
        }
        if self.take_key("mod") {
            return Ok(TypeDef::Modular(self.simple()?));
        }
        if self.take_key("new") {
            return Ok(TypeDef::Derived(self.subtype()?));
        }
        if self.take("(") {
            let mut values = vec![self.name("a value of the enumeration")?];
            while self.take(",") {
                values.push(self.name("a value of the enumeration")?);
            }
            self.expect(")")?;
            return Ok(TypeDef::Enumeration(values));
        }
        if self.take_key("array") {
            return self.array();
        }
        if self.take_key("limited") {
            return self.type_definition();
        }
        if self.take_key("record") {
            let mut fields = Vec::new();
            while !self.take_key("end") {
                if self.is_key("case") {
                    return self.unsupported("variant records");
                }
                let mut names = vec![self.name("a component")?];
                while self.take(",") {
                    names.push(self.name("a component")?);
                }
                self.expect(":")?;
                let ty = self.subtype()?;
                let value = if self.take(":=") { Some(self.expr()?) } else { None };
                self.expect(";")?;
                fields.extend(names.into_iter().map(|n| (n, ty.clone(), value.clone())));
            }
            self.expect_key("record")?;
            return Ok(TypeDef::Record(fields));
        }
        self.expected("the definition of a type")
    }

    fn array(&mut self) -> R<TypeDef> {
        self.expect("(")?;
        if let (Token::Name(_), Token::Key("range"), Token::Sign("<>")) = (self.peek(), self.ahead(1), self.ahead(2)) {
            let name = self.name("an index type")?;
            self.advance();
            self.advance();
            if self.is(",") {
                return self.unsupported("unconstrained arrays of several dimensions");
            }
            self.expect(")")?;
            self.expect_key("of")?;
            return Ok(TypeDef::Unconstrained(name, self.subtype()?));
        }
        let mut dimensions = vec![self.indices()?];
        while self.take(",") {
            dimensions.push(self.indices()?);
        }
        self.expect(")")?;
        self.expect_key("of")?;
        Ok(TypeDef::Array(dimensions, self.subtype()?))
    }

    /// `L .. H`, a subtype, or `A'Range`.
    pub(super) fn indices(&mut self) -> R<Indices> {
        if let (Token::Name(_), Token::Key("range")) = (self.peek(), self.ahead(1)) {
            return Ok(Indices::Subtype(self.subtype()?));
        }
        let low = self.simple()?;
        if self.take("..") {
            return Ok(Indices::Range(low, self.simple()?));
        }
        let span = low.span;
        match low.kind {
            ExprKind::Attribute(of, attribute, mut args) if attribute.text == "range" && args.len() <= 1 => {
                Ok(Indices::Of(*of, args.pop().map(Box::new)))
            }
            kind => match dotted_text(&kind) {
                Some(text) => Ok(Indices::Subtype(Subtype { name: Name { text, span }, range: None, index: None })),
                None => Err(Diagnostic::error("syntax", span, "this is no range")),
            },
        }
    }

    pub(super) fn subprogram(&mut self) -> R<Subprogram> {
        let is_function = self.is_key("function");
        if !is_function && !self.is_key("procedure") {
            return self.expected("a package or a subprogram");
        }
        self.advance();
        if self.is("+") || matches!(self.peek(), Token::Sign(_)) {
            return self.unsupported("operators of the program's own");
        }
        let name = self.dotted("the name of a subprogram")?;
        let params = self.params()?;
        let result = if is_function {
            self.expect_key("return")?;
            Some(self.dotted("the type of the result")?)
        } else {
            None
        };
        let (pre, post, cases) = (Vec::new(), Vec::new(), Vec::new());
        let mut out = Subprogram { name, params, result, pre, post, cases, imported: false, body: None };
        self.aspects(Some(&mut out))?;
        if self.take(";") {
            return Ok(out);
        }
        if self.is_key("renames") {
            return self.unsupported("renamings of subprograms");
        }
        self.expect_key("is")?;
        match self.peek() {
            Token::Key("new") => return self.unsupported("instances of generic units"),
            Token::Key("abstract") | Token::Key("separate") => return self.expected("a body"),
            Token::Key("null") => {
                self.advance();
                out.body = Some(Body::Statements(Vec::new(), Vec::new()));
                self.aspects(Some(&mut out))?;
                self.expect(";")?;
                return Ok(out);
            }
            Token::Sign("(") => {
                out.body = Some(Body::Expression(self.primary()?));
                self.aspects(Some(&mut out))?;
                self.expect(";")?;
                return Ok(out);
            }
            _ => {}
        }
        let items = self.items()?;
        self.expect_key("begin")?;
        let statements = self.statements()?;
        self.end(Some(&out.name))?;
        out.body = Some(Body::Statements(items, statements));
        Ok(out)
    }

    fn params(&mut self) -> R<Vec<Param>> {
        let mut out = Vec::new();
        if !self.take("(") {
            return Ok(out);
        }
        loop {
            let mut names = vec![self.name("a parameter")?];
            while self.take(",") {
                names.push(self.name("a parameter")?);
            }
            self.expect(":")?;
            let mode = match (self.take_key("in"), self.take_key("out")) {
                (true, true) => Mode::InOut,
                (false, true) => Mode::Out,
                _ => Mode::In,
            };
            if self.is_key("not") {
                return self.unsupported("access types");
            }
            let ty = self.dotted("the type of a parameter")?;
            let default = if self.take(":=") { Some(self.expr()?) } else { None };
            let param = |name| Param { name, mode, ty: ty.clone(), default: default.clone() };
            out.extend(names.into_iter().map(param));
            if !self.take(";") {
                break;
            }
        }
        self.expect(")")?;
        Ok(out)
    }

    /// `with A => e, B`; contracts go to `of`.
    fn aspects(&mut self, mut of: Option<&mut Subprogram>) -> R<()> {
        if !self.take_key("with") {
            return Ok(());
        }
        loop {
            let name = self.name("an aspect")?;
            if self.is("'") {
                return self.unsupported("aspects of classes (object-oriented programming)");
            }
            let has_value = self.take("=>");
            match (name.text.as_str(), of.as_deref_mut()) {
                ("pre" | "precondition", Some(s)) if has_value => s.pre.push(self.expr()?),
                ("post" | "postcondition", Some(s)) if has_value => s.post.push(self.expr()?),
                ("contract_cases", Some(s)) if has_value => s.cases = self.contract_cases()?,
                ("import", Some(s)) => {
                    s.imported = true;
                    if has_value {
                        self.expr()?;
                    }
                }
                (flow, _) if FLOW_ASPECTS.contains(&flow) => {
                    if has_value {
                        self.skip_aspect();
                    }
                }
                (other, _) => {
                    let message = format!("the aspect {other} is not in the subset of SPARK that is supported");
                    return Err(Diagnostic::error("unsupported", name.span, message));
                }
            }
            if !self.take(",") {
                return Ok(());
            }
        }
    }

    /// `(condition => consequence, others => consequence)`
    fn contract_cases(&mut self) -> R<Vec<(Option<Expr>, Expr)>> {
        let mut out = Vec::new();
        self.expect("(")?;
        loop {
            let condition = if self.take_key("others") { None } else { Some(self.expr()?) };
            self.expect("=>")?;
            out.push((condition, self.expr()?));
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(out)
    }

    /// The value of an aspect that does not matter: up to a comma, `is` or a semicolon outside of parentheses.
    fn skip_aspect(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek() {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth -= 1,
                Token::Sign("," | ";") | Token::Key("is") if depth <= 0 => return,
                Token::End => return,
                _ => {}
            }
            self.advance();
        }
    }
}

/// The text of a name with dots.
pub(crate) fn dotted_text(kind: &ExprKind) -> Option<String> {
    match kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Select(of, name) => Some(format!("{}.{}", dotted_text(&of.kind)?, name.text)),
        _ => None,
    }
}
