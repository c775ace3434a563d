import ts from 'typescript-ast';

/** Adds a mutant: this text in the place of the node. */
export type Add = (node: { getStart(): number; end: number }, text: string) => void;

const OPERATORS: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
};

const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  push: 'unshift',
  unshift: 'push',
  shift: 'pop',
  pop: 'shift',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  padStart: 'padEnd',
};

/** Calls that a mutant leaves out: `list.filter(isOpen)` becomes `list`. */
const LEFT_OUT = /^(filter|sort|toSorted|reverse|toReversed|trim|normalize)$/;
const CUTS = /^(slice|subarray|substring|at)$/;
const BOUNDS = /limit|max|min|size|count|bytes|length/i;
const DURATION = /_MS|Ms$|_SECONDS|Seconds$/;
const DURATION_MIN = 100;
/** Lines for developers: no caller, operator or test can hold us to them. */
const UNHEARD = /\b(log|logger)\??\.(debug|trace)\b|^this\.name = /;

export const isUnheard = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) && UNHEARD.test(node.getText());

const nameOf = (node: ts.Node): string => {
  for (let up: ts.Node | undefined = node.parent; up; up = up.parent) {
    if (ts.isVariableDeclaration(up) || ts.isPropertyAssignment(up)) return up.name.getText();
    if (ts.isStatement(up)) return '';
  }
  return '';
};

const leaves = (statement: ts.Statement | undefined): boolean =>
  statement !== undefined &&
  (ts.isBlock(statement)
    ? leaves(statement.statements.at(-1))
    : ts.isReturnStatement(statement) ||
      ts.isThrowStatement(statement) ||
      ts.isContinueStatement(statement) ||
      ts.isBreakStatement(statement));

const isNumber = (checker: ts.TypeChecker, node: ts.Node) =>
  (checker.getTypeAtLocation(node).flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) !==
  0;

const negate = (condition: ts.Expression, add: Add) => {
  const hasItsOwn =
    ts.isPrefixUnaryExpression(condition) ||
    (ts.isBinaryExpression(condition) && /^[!=]==$/.test(condition.operatorToken.getText()));
  if (!hasItsOwn) add(condition, `!(${condition.getText()})`);
};

export const changeStatement = (node: ts.Node, add: Add) => {
  if (ts.isIfStatement(node)) {
    negate(node.expression, add);
    if (!node.elseStatement && leaves(node.thenStatement)) add(node, ';');
  } else if (ts.isThrowStatement(node)) {
    add(node, ';');
  } else if (ts.isExpressionStatement(node)) {
    add(node, ';');
    const { expression } = node;
    if (ts.isAwaitExpression(expression))
      add(expression, `void ${expression.expression.getText()}`);
  }
};

const changeNumber = (node: ts.NumericLiteral, add: Add) => {
  const value = Number(node.text);
  // Of what is stored: any number serves that was not in use before.
  if (nameOf(node) === 'version') return;
  if (value >= DURATION_MIN && DURATION.test(nameOf(node))) return add(node, `${2 * value}`);
  add(node, `${value + 1}`);
  if (value > 0) add(node, `${value - 1}`);
};

/** The texts that the type allows here, or none if it allows all. */
const textsAllowed = (node: ts.Expression, checker: ts.TypeChecker): string[] => {
  const { parent } = node;
  let type = checker.getContextualType(node);
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) {
    type = checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left);
  } else if (ts.isCaseClause(parent)) {
    type = checker.getTypeAtLocation(parent.parent.parent.expression);
  }
  const members = type?.isUnion() ? type.types : type ? [type] : [];
  return members.filter((member) => member.isStringLiteral()).map((member) => member.value);
};

const changeText = (node: ts.StringLiteralLike, checker: ts.TypeChecker, add: Add) => {
  const { parent } = node;
  const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
  const isProse = node.text.includes(' ');
  const isNameOfError = ts.isBinaryExpression(parent) && /\.name = /.test(parent.getText());
  // A default that only pleases the compiler, as in `text.split('/')[0] ?? ''`.
  const isFiller = node.text === '' && !/[!=]==/.test(parent.getText());
  if (isKey || isProse || isNameOfError || isFiller) return;
  const allowed = textsAllowed(node, checker);
  // Names of encodings, many of which mean the same.
  if (allowed.includes('utf8') || allowed.includes('hex')) return;
  const next = allowed[(allowed.indexOf(node.text) + 1) % allowed.length];
  const text = allowed.length > 0 ? next : `${node.text}_`;
  if (text !== undefined && text !== node.text) add(node, `'${text.replaceAll("'", "\\'")}'`);
};

const changeCall = (node: ts.CallExpression, checker: ts.TypeChecker, add: Add) => {
  if (!ts.isPropertyAccessExpression(node.expression)) return;
  const { name, expression } = node.expression;
  const other = METHODS[name.text];
  if (other) add(name, other);
  if (LEFT_OUT.test(name.text)) add(node, expression.getText());
  for (const part of CUTS.test(name.text) ? node.arguments : []) {
    if (ts.isNumericLiteral(part)) continue;
    if (isNumber(checker, part)) add(part, `(${part.getText()}) + 1`);
  }
};

const changeBinary = (node: ts.BinaryExpression, checker: ts.TypeChecker, add: Add) => {
  const operator = node.operatorToken.getText();
  if (operator === '??') {
    add(node, node.left.getText());
    add(node, node.right.getText());
  }
  if (operator === '+' && !isNumber(checker, node)) return;
  for (const other of OPERATORS[operator] ?? []) add(node.operatorToken, other);
};

export const changeExpression = (node: ts.Node, checker: ts.TypeChecker, add: Add) => {
  if (ts.isBinaryExpression(node)) changeBinary(node, checker, add);
  else if (ts.isConditionalExpression(node)) negate(node.condition, add);
  else if (ts.isWhileStatement(node)) negate(node.expression, add);
  else if (ts.isNumericLiteral(node)) changeNumber(node, add);
  else if (ts.isStringLiteralLike(node)) changeText(node, checker, add);
  else if (ts.isCallExpression(node)) changeCall(node, checker, add);
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    add(node, node.operand.getText());
  } else if (ts.isRegularExpressionLiteral(node)) {
    const text = node.getText();
    if (text.startsWith('/^')) add(node, `/${text.slice(2)}`);
    if (/\$\/\w*$/.test(text)) add(node, text.replace(/\$(\/\w*)$/, '$1'));
  } else if (ts.isArrayLiteralExpression(node) && node.elements.every(ts.isLiteralExpression)) {
    for (const gone of node.elements) {
      const rest = node.elements.filter((element) => element !== gone);
      add(node, `[${rest.map((element) => element.getText()).join(', ')}]`);
    }
  } else if (ts.isObjectLiteralElementLike(node) && !ts.isMethodDeclaration(node)) {
    const { properties } = node.parent as ts.ObjectLiteralExpression;
    const rest = properties.filter((property) => property !== node);
    add(node.parent, `{ ${rest.map((property) => property.getText()).join(', ')} }`);
    if (!ts.isPropertyAssignment(node) || ts.isNumericLiteral(node.initializer)) return;
    const { initializer: value, name } = node;
    if (BOUNDS.test(name.getText()) && isNumber(checker, value)) {
      add(value, `(${value.getText()}) + 1`);
    }
  }
};
